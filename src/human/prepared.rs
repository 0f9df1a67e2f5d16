//! Answers prepared beforehand, for tests and replays.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crate::turn::{AskError, Human, Question};
use crate::verdict::Reply;

/// Gives prepared answers in order. When they are used up, nobody is there.
#[derive(Debug, Default)]
pub struct Prepared(Mutex<VecDeque<Reply>>);

impl Prepared {
    /// These answers, in order.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self(Mutex::new(replies.into_iter().collect()))
    }
}

impl Human for Prepared {
    fn ask(&self, _question: &Question) -> Result<Reply, AskError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front().ok_or(AskError::Nobody)
    }
}
