//! LightGBM's text format (`save_model`), versions 2 to 4, which share one layout.
//!
//! Leaf values already hold shrinkage, dart weights and the starting average, so trees are summed as they stand.
//! Random forests divide by the number of iterations only on the way to the output, never in the raw score.

mod categories;
mod objective;
mod text;
mod tree;

use std::collections::BTreeMap;

use super::LoadOptions;
use super::output_rules::OutputRules;
use crate::builder::{EnsembleBuilder, build_trees};
use crate::ensemble::{Ensemble, Source, Trend};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::{Feature, InputRules};
use crate::link::Link;
use crate::sum::{Aggregate, Summation};
use text::{Text, TextField, TextLine};

/// Loads a text model.
pub(super) fn load(content: &[u8], _options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let text = Text::new(content);
    let sections = Sections::find(&text)?;
    let header = ModelHeader::read(&text, &sections.header)?;
    let num_outputs = header.num_outputs(&text)?;
    // LightGBM compares in `f64`, reads `|x| <= 1e-35f` as zero, and predicts every input.
    let input = InputRules { zero_band: Some(f64::from(1e-35_f32)), ..InputRules::permissive(Precision::F64) };
    let trees = build_trees(&sections.trees, |index, block| {
        #[expect(clippy::cast_possible_truncation, reason = "num_outputs was read as 32 bits")]
        let output = (index % num_outputs) as u32;
        tree::read(&text, block, &input, output, header.num_features)
    })?;
    header.check_tree_count(&text, trees.len(), num_outputs)?;

    let (features, note) = categories::features(&text, &header, &sections.tail, &trees)?;
    let OutputRules { mut link, label, classes, mut notes } = header.outputs(&text, num_outputs)?;
    let objective = header.objective.map(|field| text.utf8(&field).map(str::to_owned)).transpose()?;
    notes.extend(note);
    if header.averages {
        let divisor = (trees.len() / num_outputs) as f64;
        link = Link::Averaged { divisor, then: Box::new(link) };
    }
    let trends = header.trends(&text)?;
    let version = header
        .version
        .map(|field| text.utf8(&field))
        .transpose()?
        .map(|version| format!("LightGBM file format {version}"));
    EnsembleBuilder {
        source: Source { format: "LightGBM text".into(), version, objective, notes, trends },
        features,
        input,
        num_outputs,
        aggregate: Aggregate::Sum(Summation::plain(Precision::F64, vec![0.0; num_outputs])),
        link,
        label,
        classes,
        trees,
    }
    .finish()
}

/// The three parts of a file.
struct Sections<'a> {
    header: Vec<TextLine<'a>>,
    trees: Vec<Vec<TextLine<'a>>>,
    tail: Vec<TextLine<'a>>,
}

impl<'a> Sections<'a> {
    fn find(text: &Text<'a>) -> Result<Self, LoadError> {
        let mut sections = Self { header: Vec::new(), trees: Vec::new(), tail: Vec::new() };
        let mut ended = false;
        for line in text.lines().filter(|line| !line.bytes.is_empty()) {
            if ended {
                sections.tail.push(line);
            } else if line.bytes.starts_with(b"Tree=") {
                sections.trees.push(Vec::new());
            } else if line.bytes == b"end of trees" || is_importances(line.bytes) {
                ended = true;
            } else {
                sections.trees.last_mut().unwrap_or(&mut sections.header).push(line);
            }
        }
        if !ended {
            let what = "the file ends without `end of trees`: it was cut off; save the model again";
            return Err(LoadError::malformed("end of file", what));
        }
        Ok(sections)
    }
}

/// Version 2 has no `end of trees`; this heading follows its trees.
fn is_importances(line: &[u8]) -> bool {
    line == b"feature importances:" || line == b"feature_importances:"
}

/// The lines before the first tree.
struct ModelHeader<'a> {
    version: Option<TextField<'a>>,
    objective: Option<TextField<'a>>,
    feature_names: Vec<&'a str>,
    feature_infos: Vec<&'a str>,
    num_features: usize,
    num_class: Option<TextField<'a>>,
    num_tree_per_iteration: Option<TextField<'a>>,
    tree_sizes: Option<TextField<'a>>,
    monotone: Option<TextField<'a>>,
    averages: bool,
}

impl<'a> ModelHeader<'a> {
    fn read(text: &Text<'a>, lines: &[TextLine<'a>]) -> Result<Self, LoadError> {
        let [version, objective, names, infos, width, num_class, per_iteration, tree_sizes, monotone] = text.fields(
            lines,
            [
                "version",
                "objective",
                "feature_names",
                "feature_infos",
                "max_feature_idx",
                "num_class",
                "num_tree_per_iteration",
                "tree_sizes",
                "monotone_constraints",
            ],
        )?;
        let feature_names = match &names {
            Some(field) => text.words(field)?,
            None => return Err(LoadError::malformed("header", "there is no `feature_names` line")),
        };
        // LightGBM itself refuses a file in which these two disagree.
        if let Some(field) = &width {
            let largest: i32 = text.single(field)?;
            if usize::try_from(i64::from(largest) + 1).ok() != Some(feature_names.len()) {
                let what = format!("max_feature_idx is {largest}, but there are {} feature names", feature_names.len());
                return Err(text.error(field.offset, what));
            }
        }
        Ok(Self {
            version,
            objective,
            num_features: feature_names.len(),
            feature_names,
            feature_infos: infos.map(|field| text.words(&field)).transpose()?.unwrap_or_default(),
            num_class,
            num_tree_per_iteration: per_iteration,
            tree_sizes,
            monotone,
            averages: lines.iter().any(|line| line.bytes == b"average_output"),
        })
    }

    fn num_outputs(&self, text: &Text<'a>) -> Result<usize, LoadError> {
        let Some(field) = self.num_tree_per_iteration.as_ref().or(self.num_class.as_ref()) else {
            return Err(LoadError::malformed("header", "there is no `num_tree_per_iteration` and no `num_class` line"));
        };
        let count: u32 = text.single(field)?;
        if count == 0 {
            return Err(text.error(field.offset, "the number of outputs is 0"));
        }
        if let Some(classes) = &self.num_class
            && text.single::<u32>(classes)? != count
        {
            let what = format!("`num_class` differs from `num_tree_per_iteration` ({count})");
            return Err(text.error(classes.offset, what));
        }
        Ok(count as usize)
    }

    /// LightGBM would drop an incomplete last iteration, and trusts `tree_sizes` over the trees it finds.
    fn check_tree_count(&self, text: &Text<'a>, num_trees: usize, num_outputs: usize) -> Result<(), LoadError> {
        if num_trees == 0 {
            return Err(LoadError::malformed("header", "no `Tree=` follows: the model has no trees"));
        }
        if !num_trees.is_multiple_of(num_outputs) {
            let what = format!("{num_trees} trees are no whole number of iterations of {num_outputs} trees each");
            return Err(LoadError::malformed("header", what));
        }
        if let Some(field) = &self.tree_sizes {
            let claimed = text.words(field)?.len();
            if claimed != num_trees {
                let what = format!("`tree_sizes` lists {claimed} trees, but the file has {num_trees}");
                return Err(text.error(field.offset, what));
            }
        }
        Ok(())
    }

    fn outputs(&self, text: &Text<'a>, num_outputs: usize) -> Result<OutputRules, LoadError> {
        match &self.objective {
            None => Ok(objective::custom()),
            Some(field) => objective::outputs(text.utf8(field)?, num_outputs)
                .map_err(|reason| LoadError { reason, ..text.error(field.offset, "") }),
        }
    }

    /// The features with a monotonicity constraint in training.
    fn trends(&self, text: &Text<'a>) -> Result<BTreeMap<usize, Trend>, LoadError> {
        let Some(field) = &self.monotone else { return Ok(BTreeMap::new()) };
        let signs: Vec<i64> = text.numbers(field, self.num_features)?;
        if signs.len() != self.num_features {
            let what = format!("{} monotone constraints for {} features", signs.len(), self.num_features);
            return Err(text.error(field.offset, what));
        }
        let trends = signs.into_iter().enumerate();
        Ok(trends.filter_map(|(feature, sign)| Some((feature, Trend::of_sign(sign)?))).collect())
    }

    fn numeric_feature(&self, index: usize) -> Feature {
        Feature::numeric(self.feature_names[index])
    }
}

#[cfg(test)]
mod tests;
