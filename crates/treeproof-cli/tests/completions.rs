//! Completions, by the shell that loads them.

use crate::sandbox::Sandbox;

/// What bash proposes for the last of these words.
fn proposed(words: &[&str]) -> String {
    let (last, previous) = (words[words.len() - 1], words[words.len() - 2]);
    let line = format!(
        "source <($treeproof completions bash) && COMP_WORDS=({}) && COMP_CWORD={} && _treeproof treeproof '{last}' '{previous}' && \
         echo \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<String>>().join(" "),
        words.len() - 1
    );
    Sandbox::new().shell(&line).answer().trim().to_owned()
}

#[test]
fn bash_completes_questions_flags_and_values() {
    assert_eq!(proposed(&["treeproof", "mono"]), "monotone");
    assert_eq!(proposed(&["treeproof", "monotone", "--fea"]), "--feature");
    assert_eq!(proposed(&["treeproof", "robust", "--norm", "l"]), "linf l2 l1 l0");
    assert_eq!(proposed(&["treeproof", "--color", "a"]), "auto always");
}

#[test]
fn every_shell_has_a_script() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = Sandbox::new().run(["completions", shell]).answer();
        assert!(script.contains("monotone") && script.contains("protected"), "{shell}");
    }
}
