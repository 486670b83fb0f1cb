//! The folder of a file that names others, to which these names are relative.

use std::path::{Path, PathBuf};

use crate::task::{GeneralTask, Measure, Question, Task};

/// The folder of a file that names others.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder in which a file is.
    pub fn of(file: &Path) -> Self {
        Self(file.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// Makes a file name relative to where the program runs.
    pub fn locate(&self, file: Option<&mut PathBuf>) {
        if let Some(file) = file {
            *file = self.0.join(&*file);
        }
    }

    /// The same of all files that a task names.
    pub fn locate_all(&self, task: &mut Task) {
        let Task { model, domain, data, question, .. } = task;
        for file in [model, domain, data] {
            self.locate(file.as_mut());
        }
        let measure = match question {
            Question::Diff(diff) => return self.locate(diff.other_model.as_mut()),
            Question::Robust(robust) => &mut robust.measure,
            Question::Closest(closest) => &mut closest.measure,
            Question::Stable(stable) => &mut stable.measure,
            _ => return,
        };
        if let Some(mut file) = measure.scale_file().map(PathBuf::from) {
            self.locate(Some(&mut file));
            measure.scale = Some(format!("std:{}", file.display()));
        }
    }

    /// Files of a task of the general form.
    pub fn locate_all_of(&self, task: &mut GeneralTask) {
        task.models.values_mut().for_each(|file| self.locate(file.as_mut()));
        task.inputs.values_mut().for_each(|input| self.locate(input.domain.as_mut()));
    }
}

/// The files that a task names.
pub fn files_of(task: &Task) -> impl Iterator<Item = &Path> {
    let other = if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None };
    let scale = task.question.measure().and_then(Measure::scale_file).map(Path::new);
    [task.model.as_deref(), task.domain.as_deref(), task.data.as_deref(), other, scale].into_iter().flatten()
}

/// Files of a task of the general form.
pub fn files_of_general(task: &GeneralTask) -> impl Iterator<Item = &Path> {
    let models = task.models.values().flatten().map(PathBuf::as_path);
    models.chain(task.inputs.values().filter_map(|input| input.domain.as_deref()))
}
