//! Reading witnesses, of this tool or of another one.

use std::fmt;

use rorqual_cfa::DataModel;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_saphyr::{MessageFormatter, Spanned, UserMessageFormatter};

use crate::model::{
    Action, Content, ContractEntry, Entry, InvariantEntry, InvariantKind, Location, Metadata, Producer,
    Segment, Task, Waypoint, WaypointKind,
};

/// The versions that can be read. What 2.1 adds is kept by name or passed over.
const VERSIONS: [&str; 2] = ["2.0", "2.1"];

/// Why a text is not a witness that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1; 0 if the whole text is meant.
    pub line: u32,
    /// The column, counted from 1; 0 if it is not known.
    pub column: u32,
    /// What is wrong: lower case, no full stop.
    pub message: String,
}

impl ReadError {
    fn at<T>(place: &Spanned<T>, message: impl Into<String>) -> ReadError {
        let location = place.referenced;
        ReadError { line: location.line() as u32, column: location.column() as u32, message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads the entries of a witness. Entries of types that are not known are passed over; a file without any
/// that is known is an error.
pub fn read_witness(text: &str) -> Result<Vec<Entry>, ReadError> {
    if text.trim_start().starts_with('<') {
        let message = "witnesses in GraphML (format 1.0) are not supported; version 2.0 is written in YAML";
        return Err(ReadError { line: 1, column: 1, message: message.to_owned() });
    }
    // A long execution has a long witness, but no witness has more parts than characters.
    let length = text.len();
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: length,
            max_events: 2 * length,
            max_total_scalar_bytes: length,
        },
    };
    let raw: Vec<Spanned<RawEntry>> =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| {
            let error = error.without_snippet();
            let (line, column) =
                error.location().map_or((0, 0), |place| (place.line() as u32, place.column() as u32));
            let message = format!("malformed witness: {}", UserMessageFormatter.format_message(error));
            ReadError { line, column, message }
        })?;
    let mut entries = Vec::new();
    for entry in raw {
        entries.extend(read_entry(entry)?);
    }
    if entries.is_empty() {
        let message = "the witness has neither a `violation_sequence` nor an `invariant_set`";
        return Err(ReadError { line: 0, column: 0, message: message.to_owned() });
    }
    Ok(entries)
}

fn read_entry(entry: Spanned<RawEntry>) -> Result<Option<Entry>, ReadError> {
    let RawEntry { entry_type, metadata, content } = entry.value;
    let version = &metadata.format_version;
    if !VERSIONS.contains(&version.value.0.as_str()) {
        let message = format!("version {} of the witness format is not supported", version.value.0);
        return Err(ReadError::at(version, message));
    }
    let content = match entry_type.value.as_str() {
        "violation_sequence" => Content::Violation(segments(content)?),
        "invariant_set" => claims(content)?,
        _ => return Ok(None),
    };
    Ok(Some(Entry { metadata: metadata.into(), content }))
}

fn segments(content: Vec<Spanned<RawItem>>) -> Result<Vec<Segment>, ReadError> {
    let mut segments = Vec::new();
    for item in content {
        let Some(waypoints) = item.value.segment else {
            return Err(ReadError::at(&item.referenced_only(), "expected `segment`"));
        };
        let waypoints: Result<Vec<Waypoint>, ReadError> = waypoints.into_iter().map(waypoint).collect();
        segments.push(Segment(waypoints?));
    }
    Ok(segments)
}

fn waypoint(raw: RawWaypointItem) -> Result<Waypoint, ReadError> {
    let raw = raw.waypoint;
    let action = match raw.action.value.as_str() {
        "follow" => Action::Follow,
        "avoid" => Action::Avoid,
        "cycle" => {
            let message = "a waypoint of a cycle: witnesses of executions that never end are not supported";
            return Err(ReadError::at(&raw.action, message));
        }
        other => return Err(ReadError::at(&raw.action, format!("unknown action `{other}` of a waypoint"))),
    };
    let kind = WaypointKind::ALL.into_iter().find(|kind| kind.name() == raw.kind.value);
    let Some(kind) = kind else {
        return Err(ReadError::at(&raw.kind, format!("unknown type `{}` of a waypoint", raw.kind.value)));
    };
    Ok(Waypoint {
        action,
        kind,
        location: raw.location.into(),
        constraint: raw.constraint.map(|constraint| constraint.value.0),
    })
}

fn claims(content: Vec<Spanned<RawItem>>) -> Result<Content, ReadError> {
    let (mut invariants, mut contracts) = (Vec::new(), Vec::new());
    for item in content {
        if let Some(raw) = item.value.contract {
            contracts.push(ContractEntry {
                location: raw.location.into(),
                requires: raw.requires.map_or_else(|| "1".to_owned(), |text| text.0),
                ensures: raw.ensures.map_or_else(|| "1".to_owned(), |text| text.0),
            });
            continue;
        }
        let Some(raw) = item.value.invariant else {
            // An older way to write contracts.
            if item.value.function_contract.is_some() {
                continue;
            }
            return Err(ReadError::at(&item.referenced_only(), "expected `invariant` or `contract`"));
        };
        invariants.push(InvariantEntry {
            kind: match raw.kind.as_str() {
                "loop_invariant" => InvariantKind::Loop,
                "location_invariant" => InvariantKind::Location,
                _ => InvariantKind::Other(raw.kind),
            },
            location: raw.location.into(),
            value: raw.value.0,
        });
    }
    Ok(Content::Invariants(invariants, contracts))
}

#[derive(Deserialize)]
struct RawEntry {
    entry_type: Spanned<String>,
    metadata: RawMetadata,
    #[serde(default)]
    content: Vec<Spanned<RawItem>>,
}

#[derive(Deserialize)]
struct RawMetadata {
    format_version: Spanned<Text>,
    #[serde(default)]
    uuid: Text,
    #[serde(default)]
    creation_time: Text,
    producer: RawProducer,
    task: RawTask,
}

#[derive(Deserialize)]
struct RawProducer {
    name: Text,
    #[serde(default)]
    version: Text,
    command_line: Option<Text>,
    description: Option<Text>,
}

#[derive(Deserialize)]
struct RawTask {
    #[serde(default)]
    input_files: Vec<String>,
    #[serde(default)]
    input_file_hashes: Pairs,
    #[serde(default)]
    specification: Text,
    data_model: Option<String>,
}

#[derive(Deserialize)]
struct RawItem {
    segment: Option<Vec<RawWaypointItem>>,
    invariant: Option<RawInvariant>,
    contract: Option<RawContract>,
    function_contract: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct RawWaypointItem {
    waypoint: RawWaypoint,
}

#[derive(Deserialize)]
struct RawWaypoint {
    #[serde(rename = "type")]
    kind: Spanned<String>,
    action: Spanned<String>,
    location: RawLocation,
    constraint: Option<RawConstraint>,
}

#[derive(Deserialize)]
struct RawConstraint {
    value: Text,
}

#[derive(Deserialize)]
struct RawInvariant {
    #[serde(rename = "type")]
    kind: String,
    location: RawLocation,
    value: Text,
}

#[derive(Deserialize)]
struct RawContract {
    location: RawLocation,
    requires: Option<Text>,
    ensures: Option<Text>,
}

#[derive(Deserialize)]
struct RawLocation {
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

impl From<RawLocation> for Location {
    fn from(raw: RawLocation) -> Location {
        Location { file_name: raw.file_name, line: raw.line, column: raw.column, function: raw.function }
    }
}

impl From<RawMetadata> for Metadata {
    fn from(raw: RawMetadata) -> Metadata {
        let hashes = raw.task.input_file_hashes.0;
        let hash = |name: &String| {
            let known = hashes.iter().find(|(file, _)| file == name);
            known.map_or(String::new(), |(_, hash)| hash.clone())
        };
        let mut input_files: Vec<(String, String)> =
            raw.task.input_files.iter().map(|name| (name.clone(), hash(name))).collect();
        // Some tools leave the names to the hashes.
        let unnamed = hashes.iter().filter(|(name, _)| !raw.task.input_files.contains(name));
        input_files.extend(unnamed.cloned());
        Metadata {
            uuid: raw.uuid.0,
            creation_time: raw.creation_time.0,
            producer: Producer {
                name: raw.producer.name.0,
                version: raw.producer.version.0,
                command_line: raw.producer.command_line.map(|text| text.0),
                description: raw.producer.description.map(|text| text.0),
            },
            task: Task {
                input_files,
                specification: raw.task.specification.0,
                data_model: match raw.task.data_model.as_deref() {
                    Some("ILP32") => Some(DataModel::Ilp32),
                    Some("LP64") => Some(DataModel::Lp64),
                    _ => None,
                },
            },
        }
    }
}

/// The place of an item without the item.
trait Place {
    fn referenced_only(&self) -> Spanned<()>;
}

impl<T> Place for Spanned<T> {
    fn referenced_only(&self) -> Spanned<()> {
        Spanned { value: (), referenced: self.referenced, defined: self.defined }
    }
}

/// A scalar of any kind as text: YAML reads an unquoted `2.0` or `true` as something else.
#[derive(Debug, Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct AnyScalar;

        impl Visitor<'_> for AnyScalar {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Text, E> {
                Ok(Text(value.to_string()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Text, E> {
                Ok(Text(format!("{value:?}")))
            }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text::default())
            }
        }

        deserializer.deserialize_any(AnyScalar)
    }
}

/// A mapping from texts to texts in the order of the file.
#[derive(Debug, Default)]
struct Pairs(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pairs, D::Error> {
        struct Mapping;

        impl<'de> Visitor<'de> for Mapping {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a mapping from files to hashes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some((name, Text(hash))) = map.next_entry::<String, Text>()? {
                    if pairs.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom(format!("the file `{name}` has two hashes")));
                    }
                    pairs.push((name, hash));
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Mapping)
    }
}
