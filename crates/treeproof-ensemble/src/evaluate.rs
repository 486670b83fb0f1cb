//! The reference evaluation of one row, in plain code: the library's numbers beside the exact
//! ones. All faster code is tested against it.

use crate::ensemble::Ensemble;
use crate::error::RowError;
use crate::float::Precision;
use crate::input::{Feature, Reading};
use crate::label::ClassName;
use crate::sum::{Aggregate, ComputedMargin, ExtremeRule, Running, Summation};
use crate::tree::{Node, Side, Split, Test, Tree};

/// The evaluation of one row.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The reached leaf of every tree: an index into [`Tree::leaves`].
    pub leaves: Vec<usize>,
    /// The margins.
    pub margins: Vec<ComputedMargin>,
    /// The outputs, as returned by the library's `predict` (or `predict_proba`).
    pub outputs: Vec<f64>,
    /// The position of the predicted class, for classifiers.
    pub class: Option<usize>,
}

impl Evaluation {
    /// The margins as the library computes them.
    pub fn library_margins(&self) -> Vec<f64> {
        self.margins.iter().map(|margin| margin.library).collect()
    }
}

impl Ensemble {
    /// Reads every value of a row as the library does.
    pub fn read(&self, row: &[f64]) -> Result<Vec<Reading>, RowError> {
        if row.len() != self.features.len() {
            return Err(RowError::Width { expected: self.features.len(), found: row.len() });
        }
        let read = |(feature, raw): (&Feature, &f64)| {
            self.input.read(feature, *raw).map_err(|error| RowError::Value { feature: feature.name.clone(), error })
        };
        self.features.iter().zip(row).map(read).collect()
    }

    /// Evaluates one row: a value per feature, NaN for missing.
    pub fn evaluate(&self, row: &[f64]) -> Result<Evaluation, RowError> {
        Ok(self.evaluate_readings(&self.read(row)?))
    }

    /// Evaluates readings of a row.
    pub fn evaluate_readings(&self, readings: &[Reading]) -> Evaluation {
        let leaves: Vec<usize> = self.trees.iter().map(|tree| tree.leaf(readings)).collect();
        let margins = match &self.aggregate {
            Aggregate::Sum(summation) => self.sum(summation, &leaves),
            Aggregate::WeightedMedian { weights } => self.weighted_median(weights, &leaves),
            Aggregate::Min(extreme) => self.extreme(extreme, &leaves, |new, old| new < old),
            Aggregate::Max(extreme) => self.extreme(extreme, &leaves, |new, old| new > old),
        };
        let mut scored = vec![false; self.num_accumulators];
        for (tree, leaf) in self.trees.iter().zip(&leaves) {
            tree.terms(*leaf).iter().for_each(|term| scored[term.output as usize] = true);
        }
        let numbers: Vec<f64> = margins.iter().map(|margin| margin.library).collect();
        let outputs = self.link.apply(&numbers);
        let class = self.label.class(&numbers, &outputs, &scored);
        Evaluation { leaves, margins, outputs, class }
    }

    fn sum(&self, summation: &Summation, leaves: &[usize]) -> Vec<ComputedMargin> {
        let mut sums = summation.start();
        for (index, (tree, leaf)) in self.trees.iter().zip(leaves).enumerate() {
            for term in tree.terms(*leaf) {
                let output = term.output as usize;
                sums[output].add(&summation.term(index, output, term.value));
            }
        }
        summation.finish(sums)
    }

    /// The smallest value whose weight, with all smaller ones, reaches half of the total.
    fn weighted_median(&self, weights: &[f64], leaves: &[usize]) -> Vec<ComputedMargin> {
        let mut values: Vec<(f64, f64)> = self
            .trees
            .iter()
            .zip(leaves)
            .zip(weights)
            .map(|((tree, leaf), weight)| (tree.terms(*leaf)[0].value, *weight))
            .collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut cumulated = Vec::with_capacity(values.len());
        let mut total = 0.0;
        for (_, weight) in &values {
            total += weight;
            cumulated.push(total);
        }
        let reached = cumulated.iter().position(|weight| *weight >= 0.5 * total).unwrap_or(0);
        vec![Running::new(Precision::F64, values[reached].0).finish()]
    }

    fn extreme(
        &self,
        extreme: &ExtremeRule,
        leaves: &[usize],
        better: impl Fn(f64, f64) -> bool,
    ) -> Vec<ComputedMargin> {
        let mut best: Vec<Option<f64>> = vec![None; self.num_accumulators];
        for (tree, leaf) in self.trees.iter().zip(leaves) {
            for term in tree.terms(*leaf) {
                let best = &mut best[term.output as usize];
                if best.is_none_or(|best| better(term.value, best)) {
                    *best = Some(term.value);
                }
            }
        }
        let with_base = |(output, best): (usize, Option<f64>)| {
            let mut sum = Running::new(extreme.precision, best.unwrap_or(0.0));
            if let Some(base) = extreme.base.get(output) {
                sum.add(&Running::new(extreme.precision, *base));
            }
            sum.finish()
        };
        best.into_iter().enumerate().map(with_base).collect()
    }
}

impl Tree {
    /// The leaf that these values reach: an index into [`Tree::leaves`].
    pub fn leaf(&self, readings: &[Reading]) -> usize {
        let mut node = self.root();
        loop {
            match node {
                Node::Leaf(leaf) => return leaf,
                Node::Split(index) => {
                    let split = &self.splits[index];
                    node = split.child(self.side(split, readings[split.feature as usize])).node();
                }
            }
        }
    }

    /// The side to which a split sends a value.
    pub fn side(&self, split: &Split, reading: Reading) -> Side {
        match reading {
            Reading::Missing => split.missing,
            Reading::Number(x) => match split.zero {
                Some(side) if x == 0.0 => side,
                _ => Side::from(self.holds(split.test, x)),
            },
            Reading::Category(code) => Side::from(match split.test {
                Test::InSet(set) => self.category_set(set).binary_search(&code).is_ok(),
                Test::Present => true,
                Test::Below(_) | Test::OneOf(_) => unreachable!("the builder ties numeric tests to numeric features"),
            }),
            Reading::NoCategory => Side::from(split.test == Test::Present),
        }
    }

    fn holds(&self, test: Test, x: f64) -> bool {
        match test {
            Test::Below(threshold) => x < threshold,
            Test::Present => true,
            Test::OneOf(set) => self.value_set(set).contains(&x),
            Test::InSet(_) => unreachable!("the builder ties sets to categorical features"),
        }
    }
}

impl Ensemble {
    /// The label of the class at a position.
    pub fn class_name(&self, class: usize) -> ClassName {
        let index = || ClassName::Int(i64::try_from(class).unwrap_or(i64::MAX));
        self.classes.get(class).cloned().unwrap_or_else(index)
    }
}
