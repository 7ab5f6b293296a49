//! Marks as programs write them.

use std::collections::BTreeMap;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::Error as _,
    ser::{SerializeMap as _, SerializeSeq as _},
};

use super::{FeedbackKind, Mark};

/// What is told of a cell, from nothing to black.
const TOLD: [&str; 3] = ["nothing", "white", "black"];

/// A mark as programs write it, before it is known which rules it belongs to: numbers by name, such as
/// `{"black": 1, "white": 0}`, or a list with a word for each cell, such as `["black", "nothing"]`. Null is not known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum SerializedMark {
    /// Numbers by name.
    Named(BTreeMap<String, Option<u64>>),
    /// A word for each cell.
    Told(Vec<Option<String>>),
}

impl SerializedMark {
    /// The numbers in the order in which a mark of this kind is written; `None` where it is not written like one.
    #[must_use]
    pub fn numbers(&self, kind: FeedbackKind) -> Option<Vec<Option<u64>>> {
        match self {
            Self::Named(named) if !kind.model().per_cell && named.len() == kind.number_names().len() => {
                kind.number_names().map(|name| named.get(name).copied()).collect()
            }
            Self::Told(words) if kind.model().per_cell => {
                let told = |word: &String| TOLD.iter().position(|known| known == word).map(|at| Some(at as u64));
                words.iter().map(|word| word.as_ref().map_or(Some(None), told)).collect()
            }
            _ => None,
        }
    }

    /// Writes numbers of which some may be unknown.
    pub fn serialize<S: Serializer>(
        kind: FeedbackKind,
        numbers: impl ExactSizeIterator<Item = Option<u64>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if kind.model().per_cell {
            let mut list = serializer.serialize_seq(Some(numbers.len()))?;
            for told in numbers {
                list.serialize_element(&told.map(|told| TOLD[told as usize]))?;
            }
            return list.end();
        }
        let mut map = serializer.serialize_map(Some(numbers.len()))?;
        for (name, number) in kind.number_names().zip(numbers) {
            map.serialize_entry(name, &number)?;
        }
        map.end()
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SerializedMark::serialize(self.kind(), self.numbers().map(Some), serializer)
    }
}

/// A mark of some line: whether it can be on a given one, [`crate::Rules::check_feedback`] tells.
impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = SerializedMark::deserialize(deserializer)?;
        let read = |kind: FeedbackKind| Some((kind, written.numbers(kind)?.into_iter().collect::<Option<Vec<u64>>>()?));
        let found = FeedbackKind::ALL.into_iter().find_map(read);
        let (kind, numbers) = found.ok_or_else(|| D::Error::custom("no kind of feedback has such a mark"))?;
        Self::of(kind, &numbers).ok_or_else(|| D::Error::custom("no line is long enough for such a mark"))
    }
}
