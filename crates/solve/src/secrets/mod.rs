//! A secret space given as a list of codes: a dictionary, or the candidates that somebody knows of.
//!
//! Each code is as likely as its weight says. [`SecretList`] holds the codes, [`parse`](SecretList::parse) reads them from
//! text, and strategies that can play from a list offer themselves by
//! [`Strategy::for_secrets`](crate::Strategy::for_secrets).

mod list;
mod text;

pub use list::{SecretList, SecretListError};
