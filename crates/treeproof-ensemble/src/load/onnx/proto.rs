//! The few protobuf messages of ONNX that a tree model needs, with the field numbers of `onnx.proto`; all other
//! fields are skipped.
//!
//! Repeated messages are held as slices of the file and decoded one at a time: a hostile file of empty messages
//! then costs a few bytes each, not a whole structure each.

use prost::Message;
use prost::bytes::Bytes;
use prost::encoding::{self, WireType};

use crate::error::LoadError;

#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(string, tag = "2")]
    pub(super) producer_name: String,
    #[prost(string, tag = "3")]
    pub(super) producer_version: String,
    #[prost(bytes = "bytes", optional, tag = "7")]
    pub(super) graph: Option<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct GraphProto {
    /// Each a [`NodeProto`].
    #[prost(bytes = "bytes", repeated, tag = "1")]
    pub(super) nodes: Vec<Bytes>,
    /// Each a [`TensorProto`].
    #[prost(bytes = "bytes", repeated, tag = "5")]
    pub(super) initializers: Vec<Bytes>,
    /// Each a [`ValueInfoProto`].
    #[prost(bytes = "bytes", repeated, tag = "11")]
    pub(super) inputs: Vec<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(super) inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) outputs: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op: String,
    /// Each an [`AttributeProto`].
    #[prost(bytes = "bytes", repeated, tag = "5")]
    pub(super) attributes: Vec<Bytes>,
    #[prost(string, tag = "7")]
    pub(super) domain: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AttributeProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int64, tag = "3")]
    pub(super) integer: i64,
    #[prost(bytes = "bytes", tag = "4")]
    pub(super) text: Bytes,
    #[prost(message, optional, tag = "5")]
    pub(super) tensor: Option<TensorProto>,
    #[prost(float, repeated, tag = "7")]
    pub(super) floats: Vec<f32>,
    #[prost(int64, repeated, tag = "8")]
    pub(super) integers: Vec<i64>,
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub(super) texts: Vec<Bytes>,
    /// One of [`kind`].
    #[prost(int32, tag = "20")]
    pub(super) kind: i32,
    /// Only in functions, where the value is given elsewhere.
    #[prost(string, tag = "21")]
    pub(super) reference: String,
}

/// The kinds of attributes that tree operators have.
pub(super) mod kind {
    pub(in super::super) const INTEGER: i32 = 2;
    pub(in super::super) const TEXT: i32 = 3;
    pub(in super::super) const TENSOR: i32 = 4;
    pub(in super::super) const FLOATS: i32 = 6;
    pub(in super::super) const INTEGERS: i32 = 7;
    pub(in super::super) const TEXTS: i32 = 8;
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorProto {
    #[prost(int64, repeated, tag = "1")]
    pub(super) dims: Vec<i64>,
    /// One of [`element`].
    #[prost(int32, tag = "2")]
    pub(super) element: i32,
    #[prost(float, repeated, tag = "4")]
    pub(super) floats: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(super) small_integers: Vec<i32>,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    #[prost(bytes = "bytes", tag = "9")]
    pub(super) raw: Bytes,
    #[prost(double, repeated, tag = "10")]
    pub(super) doubles: Vec<f64>,
    /// 1 if the numbers are in another file.
    #[prost(int32, tag = "14")]
    pub(super) location: i32,
}

/// The types of tensor elements that matter here.
pub(super) mod element {
    pub(in super::super) const FLOAT: i32 = 1;
    pub(in super::super) const UINT8: i32 = 2;
    pub(in super::super) const INT64: i32 = 7;
    pub(in super::super) const STRING: i32 = 8;
    pub(in super::super) const DOUBLE: i32 = 11;

    /// The name of a type as ONNX spells it, for messages.
    pub(in super::super) fn name(element: i32) -> String {
        const NAMES: [&str; 17] = [
            "undefined",
            "float",
            "uint8",
            "int8",
            "uint16",
            "int16",
            "int32",
            "int64",
            "string",
            "bool",
            "float16",
            "double",
            "uint32",
            "uint64",
            "complex64",
            "complex128",
            "bfloat16",
        ];
        match usize::try_from(element).ok().and_then(|index| NAMES.get(index)) {
            Some(name) => (*name).to_owned(),
            None => format!("element type {element}"),
        }
    }
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfoProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) kind: Option<TypeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TypeProto {
    #[prost(message, optional, tag = "1")]
    pub(super) tensor: Option<TensorTypeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorTypeProto {
    #[prost(int32, tag = "1")]
    pub(super) element: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<ShapeProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct ShapeProto {
    #[prost(message, repeated, tag = "1")]
    pub(super) dims: Vec<DimensionProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct DimensionProto {
    /// Absent where the size is not fixed.
    #[prost(int64, optional, tag = "1")]
    pub(super) size: Option<i64>,
}

/// Parts with fewer bytes are of no use in large numbers: no node, no tensor and no name of a test is so small.
const SMALL: u64 = 4;
/// Limit on such parts of one message, each of which costs more in memory than in the file.
const MAX_SMALL: usize = 1 << 16;

/// Decodes one message.
pub(super) fn decode<M: Message + Default>(content: Bytes, place: &str) -> Result<M, LoadError> {
    if num_small(&content) > MAX_SMALL {
        return Err(LoadError::malformed(
            place,
            format!("more than {MAX_SMALL} empty or tiny parts, which no model has"),
        ));
    }
    M::decode(content).map_err(|error| LoadError::malformed(place, format!("damaged or cut off: {error}")))
}

/// The number of small parts of a message, up to where it is damaged or there are too many.
fn num_small(mut content: &[u8]) -> usize {
    let mut count = 0;
    let mut field = || {
        let (_, wire) = encoding::decode_key(&mut content).ok()?;
        let length = match wire {
            WireType::LengthDelimited => encoding::decode_varint(&mut content).ok()?,
            WireType::Varint => encoding::decode_varint(&mut content).map(|_| 0).ok()?,
            WireType::ThirtyTwoBit => 4,
            WireType::SixtyFourBit => 8,
            WireType::StartGroup | WireType::EndGroup => return None,
        };
        content = content.get(usize::try_from(length).ok()?..)?;
        Some(wire == WireType::LengthDelimited && length < SMALL)
    };
    while count <= MAX_SMALL
        && let Some(is_small) = field()
    {
        count += usize::from(is_small);
    }
    count
}
