//! Panics end here: they become words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `work` gives, or what its panic said.
pub(crate) fn safely<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|panic| format!("the policy engine failed: {}", said(panic.as_ref())))
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it did not say why")
}
