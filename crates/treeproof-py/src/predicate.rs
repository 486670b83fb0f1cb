//! Conditions that are Python functions.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyTuple};
use treeproof::{Predicate, RegionValues};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::FeatureKind;

use crate::watch::SearchWatch;

/// Functions, all of which must allow an input.
pub(crate) struct Functions {
    functions: Vec<Py<PyAny>>,
    ensemble: Arc<Ensemble>,
    watch: Arc<SearchWatch>,
    /// What a function raised first.
    raised: Mutex<Option<PyErr>>,
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} functions", self.functions.len())
    }
}

impl Functions {
    pub(crate) fn new(functions: Vec<Py<PyAny>>, ensemble: Arc<Ensemble>, watch: Arc<SearchWatch>) -> Self {
        Self { functions, ensemble, watch, raised: Mutex::default() }
    }

    /// What a function raised, if one did.
    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn ask(&self, py: Python<'_>, region: &[RegionValues]) -> PyResult<bool> {
        let told = PyDict::new(py);
        for (feature, values) in self.ensemble.features().iter().zip(region) {
            told.set_item(&feature.name, told_values(py, &feature.kind, values)?)?;
        }
        for function in &self.functions {
            // One that changes what it is told must not deceive the next.
            if !function.bind(py).call1((told.copy()?,))?.is_truthy()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Numbers as `(low, high)`, with `None` behind them if it may be missing; categories as a set, with `None` in it if it may be
/// missing or none of them; `None` if it is missing.
fn told_values<'py>(py: Python<'py>, kind: &FeatureKind, values: &RegionValues) -> PyResult<Bound<'py, PyAny>> {
    let FeatureKind::Category(categories) = kind else {
        return Ok(match (values.numbers, values.missing) {
            (Some((low, high)), false) => (low, high).into_pyobject(py)?.into_any(),
            (Some((low, high)), true) => PyTuple::new(py, [Some(low), Some(high), None])?.into_any(),
            (None, _) => py.None().into_bound(py),
        });
    };
    let set = PySet::empty(py)?;
    for code in &values.codes {
        match categories.names.get(*code as usize) {
            Some(name) => set.add(name)?,
            None => set.add(*code)?,
        }
    }
    if values.missing || values.unknown {
        set.add(py.None())?;
    }
    Ok(set.into_any())
}

impl Predicate for Functions {
    fn may_hold(&self, region: &[RegionValues]) -> bool {
        Python::attach(|py| {
            let answer = self.ask(py, region).or_else(|raised| {
                // Ctrl-C may arrive while a function runs: it is about the search, and the function is asked again.
                let is_interrupt = raised.is_instance_of::<PyKeyboardInterrupt>(py) && !self.watch.is_stopped();
                self.watch.stop();
                if is_interrupt { self.ask(py, region) } else { Err(raised) }
            });
            answer.unwrap_or_else(|raised| {
                self.watch.stop();
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
                // Nothing may be left out because of a mistake; nothing is answered either.
                true
            })
        })
    }
}
