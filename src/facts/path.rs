//! The files that a call names.

mod shape;

pub(crate) use shape::{Atom, Component, Fold, Set, Shape, covers, everything, exactly, meets};
