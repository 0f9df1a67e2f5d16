//! Nothing but a test: see `tests/agree`.
