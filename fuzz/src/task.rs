//! Task files: what is read is written and read again without a loss.

use treeproof::task::TaskFile;

/// Checks the text of a file.
pub fn check(content: &[u8]) {
    let Ok(text) = std::str::from_utf8(content) else { return };
    let task = match TaskFile::read(text) {
        Ok(task) => task,
        Err(error) => return assert!(!error.contains('\n'), "not one line: {error}"),
    };
    let written = match &task {
        TaskFile::Named(task) => serde_json::to_string(task),
        TaskFile::General(task) => serde_json::to_string(task),
    };
    // Numbers of limits that are infinite have no JSON.
    let again = TaskFile::read(&written.expect("plain data"));
    assert!(again.as_ref() == Ok(&task), "{again:?} is not {task:?}");
}
