//! What can be wrong with a request, as the descriptors of the contract tell.

use std::collections::BTreeMap;

use prost::{
    Message as _,
    encoding::{WireType, encode_key, encode_varint},
};
use prost_types::{
    DescriptorProto, Duration, FieldDescriptorProto, FileDescriptorSet,
    field_descriptor_proto::{Label, Type},
};
use tavola::pb::DESCRIPTORS;

/// A span of time: for us one value, not a message of two.
const DURATION: &str = ".google.protobuf.Duration";

/// What has to be tried for a field.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Enum,
    Number,
    Text,
    Time,
    Oneof,
}

impl Kind {
    pub(crate) fn tries(self) -> &'static [&'static str] {
        match self {
            Self::Enum => &["9999", "-1"],
            Self::Number => &["max"],
            Self::Text => &["garbage"],
            Self::Time => &["max", "negative", "part of a millisecond"],
            Self::Oneof => &["unset"],
        }
    }
}

/// The contract.
pub(crate) struct Contract {
    descriptors: FileDescriptorSet,
    messages: BTreeMap<String, DescriptorProto>,
    /// The comments of fields, by message and name.
    comments: BTreeMap<(String, String), String>,
}

/// A message of which one field is bad.
pub(crate) struct Bad {
    /// The path of the field in the message.
    pub(crate) path: String,
    /// What is bad about it.
    pub(crate) what: &'static str,
    pub(crate) encoded: Vec<u8>,
}

impl Contract {
    pub(crate) fn read() -> Self {
        let descriptors = FileDescriptorSet::decode(DESCRIPTORS).expect("the descriptors decode");
        let (mut messages, mut comments) = (BTreeMap::new(), BTreeMap::new());
        for file in &descriptors.file {
            for (at, message) in (0..).zip(&file.message_type) {
                let name = format!(".{}.{}", file.package(), message.name());
                for (field_at, field) in (0..).zip(&message.field) {
                    // Descriptor paths: message_type is field 4 of a file, field is field 2 of a message.
                    let path = [4, at, 2, field_at];
                    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
                    let comment = locations
                        .filter(|location| location.path == path)
                        .map(|location| location.leading_comments())
                        .collect();
                    comments.insert((name.clone(), field.name().to_owned()), comment);
                }
                messages.insert(name, message.clone());
            }
        }
        Self {
            descriptors,
            messages,
            comments,
        }
    }

    /// The methods of all our services with the paths of all that can be set in their requests.
    pub(crate) fn fields_of_methods(&self) -> BTreeMap<String, Vec<(String, Kind)>> {
        let services = self.descriptors.file.iter().flat_map(|file| &file.service);
        services
            .flat_map(|service| &service.method)
            .map(|method| {
                let mut fields = Vec::new();
                self.walk(method.input_type(), "", &mut fields);
                (method.name().to_owned(), fields)
            })
            .collect()
    }

    fn walk(&self, message: &str, within: &str, fields: &mut Vec<(String, Kind)>) {
        let message = &self.messages[message];
        for field in &message.field {
            let path = format!("{within}{}", field.name());
            match field.r#type() {
                Type::Message if field.type_name() == DURATION => fields.push((path, Kind::Time)),
                Type::Message => self.walk(field.type_name(), &format!("{path}."), fields),
                Type::Enum => fields.push((path, Kind::Enum)),
                Type::String => fields.push((path, Kind::Text)),
                Type::Uint32 | Type::Uint64 | Type::Int32 => fields.push((path, Kind::Number)),
                // Both of its values are good.
                Type::Bool => {}
                other => panic!("what can be wrong with a {other:?}, such as {path}?"),
            }
        }
        for (_, oneof) in oneofs(message) {
            fields.push((format!("{within}{oneof}"), Kind::Oneof));
        }
    }

    /// Messages of this type, each with one field that is bad. Where `filled`, all that are required have values, so
    /// that they are not missed; else they are left to their defaults.
    pub(crate) fn bad(&self, name: &str, filled: bool) -> Vec<Bad> {
        let message = &self.messages[name];
        let mut all = Vec::new();
        for (index, oneof) in oneofs(message) {
            all.push(Bad {
                path: oneof.to_owned(),
                what: "unset",
                encoded: self.encode(name, filled, Target::NoneOf(index)),
            });
        }
        for field in &message.field {
            let mut add = |path: &str, what, value: Option<Vec<u8>>| {
                all.push(Bad {
                    path: path.to_owned(),
                    what,
                    encoded: self.encode(name, filled, Target::Field(field, value)),
                });
            };
            let whole = field.r#type() == Type::Message && field.type_name() != DURATION;
            if filled && self.is_required(name, field) && !whole {
                add(field.name(), "unset", None);
            }
            match field.r#type() {
                Type::Enum => {
                    add(field.name(), "9999", Some(varint(field, 9999)));
                    // As protobuf writes -1.
                    add(field.name(), "-1", Some(varint(field, u64::MAX)));
                }
                Type::Uint32 => {
                    // An option may be a large number; cut to 16 bits, this one would be a small one.
                    let numbers = if filled {
                        [("256", 256), ("65536", 65_536)]
                    } else {
                        [("65636", 65_636), ("16777216", 1 << 24)]
                    };
                    for (what, value) in numbers.into_iter().chain([("max", u32::MAX)]) {
                        add(field.name(), what, Some(varint(field, value.into())));
                    }
                }
                Type::Int32 => {
                    for (what, value) in [("9999", 9999), ("max", i32::MAX), ("min", i32::MIN)] {
                        // As protobuf writes negative numbers: as if they had 64 bits.
                        let value = i64::from(value).cast_unsigned();
                        add(field.name(), what, Some(varint(field, value)));
                    }
                }
                Type::Message if field.type_name() == DURATION => {
                    for (what, seconds, nanos) in [
                        ("max", i64::MAX, 0),
                        ("negative", -1, 0),
                        ("part of a millisecond", 1, 1),
                    ] {
                        let time = Duration { seconds, nanos };
                        add(
                            field.name(),
                            what,
                            Some(block(field, &time.encode_to_vec())),
                        );
                    }
                }
                Type::Message => {
                    for inner in self.bad(field.type_name(), filled) {
                        let path = format!("{}.{}", field.name(), inner.path);
                        add(&path, inner.what, Some(block(field, &inner.encoded)));
                    }
                }
                Type::Bool => {}
                other => panic!("what is a bad {other:?}?"),
            }
        }
        all
    }

    fn comment(&self, message: &str, field: &FieldDescriptorProto) -> &str {
        &self.comments[&(message.to_owned(), field.name().to_owned())]
    }

    /// Whether the comment of a field says that it has to be set.
    fn is_required(&self, message: &str, field: &FieldDescriptorProto) -> bool {
        self.comment(message, field).contains("Required")
    }

    /// The least number that the comment of a field allows, as in `1..3`; 0 if it does not say.
    fn least(&self, message: &str, field: &FieldDescriptorProto) -> u64 {
        let range = self.comment(message, field).split_once("..");
        let digits =
            range.and_then(|(before, _)| before.rsplit(|char: char| !char.is_ascii_digit()).next());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
    }

    fn encode(&self, name: &str, filled: bool, target: Target<'_>) -> Vec<u8> {
        let message = &self.messages[name];
        let mut encoded = Vec::new();
        let mut chosen: Vec<i32> = Vec::new();
        match &target {
            Target::NoneOf(index) => chosen.push(*index),
            Target::Field(field, value) => {
                encoded.extend(value.iter().flatten());
                chosen.extend(oneof_of(message, field));
            }
        }
        for field in &message.field {
            if matches!(target, Target::Field(of, _) if of.number() == field.number()) || !filled {
                continue;
            }
            if let Some(index) = oneof_of(message, field) {
                if chosen.contains(&index) {
                    continue;
                }
                chosen.push(index);
            } else if !self.is_required(name, field) {
                continue;
            }
            encoded.extend(self.good(name, field));
        }
        encoded
    }

    /// A field with a value that is good almost everywhere.
    fn good(&self, message: &str, field: &FieldDescriptorProto) -> Vec<u8> {
        match field.r#type() {
            Type::Enum | Type::Int32 => varint(field, 1),
            Type::Uint32 => varint(field, self.least(message, field)),
            Type::Bool => varint(field, 0),
            Type::Message if field.type_name() == DURATION => {
                let second = Duration {
                    seconds: 1,
                    nanos: 0,
                };
                block(field, &second.encode_to_vec())
            }
            Type::Message => {
                let inner = self.encode(field.type_name(), true, Target::NoneOf(-1));
                block(field, &inner)
            }
            other => panic!("what is a good {other:?}?"),
        }
    }
}

/// What is bad in a message.
enum Target<'a> {
    /// The oneof of this index, which is unset; no oneof has index -1.
    NoneOf(i32),
    /// This field, which is encoded like this, or unset.
    Field(&'a FieldDescriptorProto, Option<Vec<u8>>),
}

/// The oneofs of a message that are no `optional`.
fn oneofs(message: &DescriptorProto) -> impl Iterator<Item = (i32, &str)> {
    (0..)
        .zip(&message.oneof_decl)
        .filter(|(index, _)| {
            let of_this = |field: &&FieldDescriptorProto| field.oneof_index == Some(*index);
            !message
                .field
                .iter()
                .filter(of_this)
                .any(|field| field.proto3_optional())
        })
        .map(|(index, oneof)| (index, oneof.name()))
}

fn oneof_of(message: &DescriptorProto, field: &FieldDescriptorProto) -> Option<i32> {
    let index = field.oneof_index?;
    oneofs(message).any(|(of, _)| of == index).then_some(index)
}

fn tag(field: &FieldDescriptorProto) -> u32 {
    u32::try_from(field.number()).expect("fields are numbered from 1")
}

fn varint(field: &FieldDescriptorProto, value: u64) -> Vec<u8> {
    let mut encoded = Vec::new();
    if field.label() == Label::Repeated {
        let mut packed = Vec::new();
        encode_varint(value, &mut packed);
        return block(field, &packed);
    }
    encode_key(tag(field), WireType::Varint, &mut encoded);
    encode_varint(value, &mut encoded);
    encoded
}

fn block(field: &FieldDescriptorProto, content: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::new();
    encode_key(tag(field), WireType::LengthDelimited, &mut encoded);
    encode_varint(
        u64::try_from(content.len()).expect("it is short"),
        &mut encoded,
    );
    encoded.extend_from_slice(content);
    encoded
}
