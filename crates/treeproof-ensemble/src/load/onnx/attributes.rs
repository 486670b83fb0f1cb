//! The attributes of an operator by name and type. Each is taken once; what remains is unknown, and refused.

use std::collections::BTreeMap;

use super::proto::{self, AttributeProto, NodeProto, TensorProto, element, kind};
use crate::error::LoadError;
use crate::float::Precision;
use crate::load::document::shortened;

/// The attributes of one node that have not been taken yet.
pub(super) struct Attributes {
    op: String,
    by_name: BTreeMap<String, AttributeProto>,
}

impl Attributes {
    pub(super) fn new(node: &NodeProto) -> Result<Self, LoadError> {
        let op = shortened(&node.op);
        let mut by_name = BTreeMap::new();
        for content in &node.attributes {
            let attribute: AttributeProto = proto::decode(content.clone(), &op)?;
            let place = format!("{op}, attribute `{}`", shortened(&attribute.name));
            if !attribute.reference.is_empty() {
                return Err(LoadError::unsupported(
                    place,
                    "the value is a parameter of a function; inline the function",
                ));
            }
            if by_name.insert(attribute.name.clone(), attribute).is_some() {
                return Err(LoadError::malformed(place, "given twice"));
            }
        }
        Ok(Self { op, by_name })
    }

    /// The place of an attribute, for messages.
    pub(super) fn place(&self, name: &str) -> String {
        format!("{}, attribute `{name}`", self.op)
    }

    fn take(&mut self, name: &str, expected: i32) -> Result<Option<AttributeProto>, LoadError> {
        match self.by_name.remove(name) {
            // Writers of the first IR version left the kind out.
            Some(attribute) if attribute.kind != expected && attribute.kind != 0 => {
                Err(LoadError::malformed(self.place(name), "the attribute has another type than the operator defines"))
            }
            attribute => Ok(attribute),
        }
    }

    /// A list of integers, empty where absent.
    pub(super) fn integers(&mut self, name: &str) -> Result<Vec<i64>, LoadError> {
        Ok(self.take(name, kind::INTEGERS)?.map(|attribute| attribute.integers).unwrap_or_default())
    }

    pub(super) fn integer(&mut self, name: &str) -> Result<Option<i64>, LoadError> {
        Ok(self.take(name, kind::INTEGER)?.map(|attribute| attribute.integer))
    }

    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, LoadError> {
        let attribute = self.take(name, kind::TEXT)?;
        attribute.map(|attribute| self.utf8(name, &attribute.text)).transpose()
    }

    /// A list of strings, empty where absent.
    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<String>, LoadError> {
        let attribute = self.take(name, kind::TEXTS)?;
        attribute.unwrap_or_default().texts.iter().map(|text| self.utf8(name, text)).collect()
    }

    fn utf8(&self, name: &str, text: &[u8]) -> Result<String, LoadError> {
        let text = std::str::from_utf8(text).map(str::to_owned);
        text.map_err(|_| LoadError::malformed(self.place(name), "the text is not UTF-8"))
    }

    pub(super) fn tensor(&mut self, name: &str) -> Result<Option<TensorProto>, LoadError> {
        Ok(self.take(name, kind::TENSOR)?.and_then(|attribute| attribute.tensor))
    }

    /// Numbers given as a list of `f32`, or as a tensor `…_as_tensor` of the type in which the operator computes.
    pub(super) fn reals(&mut self, name: &str, computes: Precision) -> Result<Vec<f64>, LoadError> {
        let floats = self.take(name, kind::FLOATS)?.unwrap_or_default().floats;
        let in_tensor = format!("{name}_as_tensor");
        let tensor = self.real_tensor(&in_tensor, computes)?;
        match (floats.is_empty(), tensor) {
            (true, Some(numbers)) => Ok(numbers),
            (false, Some(numbers)) if !numbers.is_empty() => {
                Err(LoadError::malformed(self.place(name), format!("given beside `{in_tensor}`; only one may be")))
            }
            _ => Ok(floats.into_iter().map(f64::from).collect()),
        }
    }

    /// A tensor of numbers of the type in which the operator computes.
    pub(super) fn real_tensor(&mut self, name: &str, computes: Precision) -> Result<Option<Vec<f64>>, LoadError> {
        let Some(tensor) = self.tensor(name)? else { return Ok(None) };
        let expected = match computes {
            Precision::F32 => element::FLOAT,
            Precision::F64 => element::DOUBLE,
        };
        if tensor.element != expected {
            let (found, expected) = (element::name(tensor.element), element::name(expected));
            let what = format!("a tensor of {found} in an operator whose input is {expected}: onnxruntime refuses it");
            return Err(LoadError::unsupported(self.place(name), what));
        }
        reals(&tensor, &self.place(name)).map(Some)
    }

    /// A tensor of bytes, empty where absent.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Vec<u8>, LoadError> {
        let Some(tensor) = self.tensor(name)? else { return Ok(Vec::new()) };
        let place = self.place(name);
        if tensor.element != element::UINT8 {
            let what = format!("expected a tensor of uint8, found {}", element::name(tensor.element));
            return Err(LoadError::malformed(place, what));
        }
        refuse_external(&tensor, &place)?;
        let bytes = if tensor.raw.is_empty() {
            let byte = |number: &i32| u8::try_from(*number).ok();
            let bytes: Option<Vec<u8>> = tensor.small_integers.iter().map(byte).collect();
            bytes.ok_or_else(|| LoadError::malformed(&place, "a number is out of the range of uint8"))?
        } else {
            tensor.raw.to_vec()
        };
        check_size(&tensor, bytes.len(), &place)?;
        Ok(bytes)
    }

    /// Refuses attributes that were not taken: an unknown one could change every output.
    pub(super) fn finish(self) -> Result<(), LoadError> {
        match self.by_name.keys().next() {
            Some(name) => Err(LoadError::unsupported(self.op, format!("unknown attribute `{}`", shortened(name)))),
            None => Ok(()),
        }
    }
}

/// The numbers of a tensor of float or double.
pub(super) fn reals(tensor: &TensorProto, place: &str) -> Result<Vec<f64>, LoadError> {
    refuse_external(tensor, place)?;
    let numbers: Vec<f64> = match tensor.element {
        element::FLOAT if tensor.raw.is_empty() => tensor.floats.iter().map(|number| f64::from(*number)).collect(),
        element::FLOAT => whole::<4>(&tensor.raw, place)?.map(|bytes| f64::from(f32::from_le_bytes(bytes))).collect(),
        element::DOUBLE if tensor.raw.is_empty() => tensor.doubles.clone(),
        element::DOUBLE => whole::<8>(&tensor.raw, place)?.map(f64::from_le_bytes).collect(),
        other => {
            let what = format!("a tensor of {}; only float and double are supported", element::name(other));
            return Err(LoadError::unsupported(place, what));
        }
    };
    check_size(tensor, numbers.len(), place)?;
    Ok(numbers)
}

fn whole<'a, const N: usize>(raw: &'a [u8], place: &str) -> Result<impl Iterator<Item = [u8; N]> + 'a, LoadError> {
    let (numbers, rest) = raw.as_chunks::<N>();
    if rest.is_empty() {
        Ok(numbers.iter().copied())
    } else {
        Err(LoadError::malformed(place, format!("{} bytes are no whole number of elements", raw.len())))
    }
}

fn refuse_external(tensor: &TensorProto, place: &str) -> Result<(), LoadError> {
    if tensor.location == 0 {
        return Ok(());
    }
    Err(LoadError::unsupported(place, "the numbers are in another file; save the model as a single file"))
}

fn check_size(tensor: &TensorProto, found: usize, place: &str) -> Result<(), LoadError> {
    let size = tensor.dims.iter().try_fold(1_i64, |size, dim| size.checked_mul(*dim));
    if size.and_then(|size| usize::try_from(size).ok()) == Some(found) {
        return Ok(());
    }
    Err(LoadError::malformed(place, format!("the tensor's shape does not fit its {found} elements")))
}
