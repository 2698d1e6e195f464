//! What every method takes, read from the descriptors: a method that is added later is attacked like all others.

use std::collections::BTreeMap;

use bytes::{BufMut as _, BytesMut};
use prost::{
    Message as _,
    encoding::{WireType, encode_key, encode_varint},
};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};

use crate::common::Dice;

/// A method of a service.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    /// As in a request, such as `/tavola.v1.SessionService/Play`.
    pub(crate) path: String,
    /// The full name of the message that it takes.
    pub(crate) takes: String,
    pub(crate) streams_requests: bool,
}

/// All methods that the server has, and all messages that they are made of.
#[derive(Debug)]
pub(crate) struct Requests {
    pub(crate) methods: Vec<Method>,
    messages: BTreeMap<String, DescriptorProto>,
    enums: BTreeMap<String, EnumDescriptorProto>,
}

/// The way to a field from a request, from the outside in.
pub(crate) type Path<'a> = Vec<&'a FieldDescriptorProto>;

impl Requests {
    /// All of them: the product's, and those of health and reflection.
    pub(crate) fn all() -> Self {
        let mut all = Self {
            methods: Vec::new(),
            messages: BTreeMap::new(),
            enums: BTreeMap::new(),
        };
        for set in [
            tavola::pb::DESCRIPTORS,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ] {
            for file in FileDescriptorSet::decode(set)
                .expect("descriptors decode")
                .file
            {
                let package = format!(".{}", file.package());
                for service in &file.service {
                    for method in &service.method {
                        all.methods.push(Method {
                            path: format!(
                                "/{}.{}/{}",
                                file.package(),
                                service.name(),
                                method.name()
                            ),
                            takes: method.input_type().to_owned(),
                            streams_requests: method.client_streaming(),
                        });
                    }
                }
                for message in file.message_type {
                    all.learn(&package, message);
                }
                for described in file.enum_type {
                    all.enums
                        .insert(format!("{package}.{}", described.name()), described);
                }
            }
        }
        assert!(all.methods.len() >= 16 + 2 + 2, "{:?}", all.methods);
        all
    }

    fn learn(&mut self, within: &str, message: DescriptorProto) {
        let name = format!("{within}.{}", message.name());
        for nested in message.nested_type.clone() {
            self.learn(&name, nested);
        }
        for described in message.enum_type.clone() {
            self.enums
                .insert(format!("{name}.{}", described.name()), described);
        }
        self.messages.insert(name, message);
    }

    fn fields(&self, message: &str) -> &[FieldDescriptorProto] {
        &self.messages[message].field
    }

    /// All ways to fields from a message, as far as so many messages deep.
    pub(crate) fn paths(&self, message: &str, depth: usize) -> Vec<Path<'_>> {
        let mut paths = Vec::new();
        for field in self.fields(message) {
            paths.push(vec![field]);
            if field.r#type() == Type::Message && depth > 0 {
                for path in self.paths(field.type_name(), depth - 1) {
                    paths.push([vec![field], path].concat());
                }
            }
        }
        paths
    }

    /// A random message of this type: most of its fields, nested so deep at most. `texts` are worth trying in any text.
    pub(crate) fn random(
        &self,
        message: &str,
        texts: &[String],
        depth: usize,
        dice: &mut Dice,
    ) -> Vec<u8> {
        let mut bytes = BytesMut::new();
        for field in self.fields(message) {
            let times = match (dice.below(4), field.label()) {
                (0, _) => 0,
                (_, Label::Repeated) => dice.below(4),
                _ => 1,
            };
            for _ in 0..times {
                self.random_field(field, texts, depth, dice, &mut bytes);
            }
        }
        bytes.to_vec()
    }

    fn random_field(
        &self,
        field: &FieldDescriptorProto,
        texts: &[String],
        depth: usize,
        dice: &mut Dice,
        bytes: &mut BytesMut,
    ) {
        let number = match dice.below(4) {
            0 => u64::MAX >> dice.below(64),
            1 => dice.below(1000) as u64,
            _ => dice.below(12) as u64,
        };
        match field.r#type() {
            Type::Message => {
                let inner = match depth {
                    0 => Vec::new(),
                    _ => self.random(field.type_name(), texts, depth - 1, dice),
                };
                put_bytes(bytes, field, &inner);
            }
            Type::String | Type::Bytes => {
                let text = match dice.below(5) {
                    0 => String::new(),
                    1 => "é\u{10ffff}\0".repeat(dice.below(40)),
                    _ => dice.pick(texts).clone(),
                };
                put_bytes(bytes, field, text.as_bytes());
            }
            Type::Enum => {
                let described = &self.enums[field.type_name()].value;
                let value = match dice.below(5) {
                    0 => number,
                    _ => dice.pick(described).number() as u64,
                };
                put_number(bytes, field, value);
            }
            Type::Fixed64 | Type::Sfixed64 | Type::Double => {
                encode_key(key(field), WireType::SixtyFourBit, bytes);
                bytes.put_u64_le(number);
            }
            Type::Fixed32 | Type::Sfixed32 | Type::Float => {
                encode_key(key(field), WireType::ThirtyTwoBit, bytes);
                bytes.put_u32_le(number as u32);
            }
            _ => put_number(bytes, field, number),
        }
    }
}

/// A message in which the field at the end of the path has a number, or is an empty message, and nothing else is set.
pub(crate) fn along(path: &Path<'_>, number: u64) -> Vec<u8> {
    let (last, way) = path.split_last().expect("a path has a field");
    let mut bytes = BytesMut::new();
    match last.r#type() {
        Type::Message | Type::String | Type::Bytes => put_bytes(&mut bytes, last, &[]),
        _ => put_number(&mut bytes, last, number),
    }
    for field in way.iter().rev() {
        let inner = bytes.split();
        put_bytes(&mut bytes, field, &inner);
    }
    bytes.to_vec()
}

fn put_bytes(bytes: &mut BytesMut, field: &FieldDescriptorProto, value: &[u8]) {
    encode_key(key(field), WireType::LengthDelimited, bytes);
    encode_varint(value.len() as u64, bytes);
    bytes.put_slice(value);
}

fn put_number(bytes: &mut BytesMut, field: &FieldDescriptorProto, value: u64) {
    encode_key(key(field), WireType::Varint, bytes);
    encode_varint(value, bytes);
}

fn key(field: &FieldDescriptorProto) -> u32 {
    u32::try_from(field.number()).expect("field numbers are positive")
}
