//! A list that needs no memory of its own while it is short.
//!
//! A game is mostly codes of a few cells and feedback of one mark, copied from hand to hand: an allocation for each would
//! take longer than what is computed with them.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::{Deref, DerefMut},
};

use serde::{Serialize, Serializer};

/// Up to `FEW` items in place, more on the heap. It compares, sorts, hashes and prints as a slice does.
#[derive(Clone)]
pub(crate) enum Short<T, const FEW: usize> {
    /// How many there are, and the items; what follows them means nothing.
    Few(u8, [T; FEW]),
    /// None, which takes no memory either, or more than `FEW`.
    Many(Box<[T]>),
}

impl<T: Copy, const FEW: usize> Short<T, FEW> {
    pub(crate) fn new(items: &[T]) -> Self {
        const { assert!(FEW <= u8::MAX as usize) };
        match items {
            [first, ..] if items.len() <= FEW => {
                let mut few = [*first; FEW];
                few[..items.len()].copy_from_slice(items);
                Self::Few(items.len() as u8, few)
            }
            _ => Self::Many(items.into()),
        }
    }
}

impl<T: Copy, const FEW: usize> FromIterator<T> for Short<T, FEW> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return Self::new(&[]) };
        let mut few = [first; FEW];
        let mut len = 1;
        while let Some(item) = items.next() {
            let Some(place) = few.get_mut(len) else {
                return Self::Many(few.into_iter().chain([item]).chain(items).collect());
            };
            *place = item;
            len += 1;
        }
        Self::Few(len as u8, few)
    }
}

impl<T, const FEW: usize> Deref for Short<T, FEW> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Few(len, few) => &few[..usize::from(*len)],
            Self::Many(many) => many,
        }
    }
}

impl<T, const FEW: usize> DerefMut for Short<T, FEW> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Few(len, few) => &mut few[..usize::from(*len)],
            Self::Many(many) => many,
        }
    }
}

impl<T: PartialEq, const FEW: usize> PartialEq for Short<T, FEW> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const FEW: usize> Eq for Short<T, FEW> {}

impl<T: Ord, const FEW: usize> PartialOrd for Short<T, FEW> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord, const FEW: usize> Ord for Short<T, FEW> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(other)
    }
}

impl<T: Hash, const FEW: usize> Hash for Short<T, FEW> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: fmt::Debug, const FEW: usize> fmt::Debug for Short<T, FEW> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Serialize, const FEW: usize> Serialize for Short<T, FEW> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};

    use super::*;

    type Triple = Short<u16, 3>;

    #[test]
    fn lists_of_any_length_are_slices() {
        let hash = |value: &dyn Fn(&mut DefaultHasher)| {
            let mut hasher = DefaultHasher::new();
            value(&mut hasher);
            hasher.finish()
        };
        for length in 0..8u16 {
            let items: Vec<u16> = (0..length).collect();
            let mut short = Triple::new(&items);
            assert_eq!(*short, *items);
            assert_eq!(items.iter().copied().collect::<Triple>(), short);
            assert_eq!(format!("{short:?}"), format!("{items:?}"));
            assert_eq!(serde_json::to_string(&short).unwrap(), serde_json::to_string(&items).unwrap());
            assert_eq!(hash(&|state| short.hash(state)), hash(&|state| items.hash(state)));
            short.iter_mut().for_each(|item| *item += 1);
            assert!(short.iter().copied().eq(1..=length));
        }
    }

    #[test]
    fn what_follows_the_items_means_nothing() {
        assert_eq!(Triple::new(&[1, 2]), Triple::Few(2, [1, 2, 9]));
        assert_ne!(Triple::new(&[1, 2]), Triple::new(&[1, 2, 1]));
    }

    #[test]
    fn order_is_that_of_slices() {
        let lists: [&[u16]; 6] = [&[], &[1], &[1, 2, 3], &[1, 2, 3, 4], &[1, 3], &[2]];
        for (one, other) in lists.iter().zip(&lists[1..]) {
            assert!(Triple::new(one) < Triple::new(other), "{one:?} {other:?}");
        }
    }
}
