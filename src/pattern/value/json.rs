//! Equality, order and types of JSON values.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::super::Tri;

/// How deep a value is looked into. A parser of JSON stops at the same depth.
pub(super) const MAX_DEPTH: usize = 128;

/// What a value is; the names are those of JSON Schema but for `list` and `boolean`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// A text.
    String,
    /// Any number.
    Number,
    /// A number without a fraction; `1.0` is one.
    Integer,
    /// True or false.
    Boolean,
    /// A list.
    List,
    /// An object.
    Object,
    /// Null.
    Null,
}

impl ValueType {
    /// Every type, in the order of their documentation.
    pub const ALL: [Self; 7] =
        [Self::String, Self::Number, Self::Integer, Self::Boolean, Self::List, Self::Object, Self::Null];

    /// The type that a policy calls `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|each| each.name() == name)
    }

    /// What a policy calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::List => "list",
            Self::Object => "object",
            Self::Null => "null",
        }
    }

    /// Whether `value` is of this type.
    pub fn holds(self, value: &Value) -> bool {
        match self {
            Self::String => value.is_string(),
            Self::Number => value.is_number(),
            Self::Integer => matches!(value, Value::Number(number) if is_integer(number)),
            Self::Boolean => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
            Self::Null => value.is_null(),
        }
    }
}

/// Whether two values are the same: numbers by value, objects whatever the order of their keys. Possibly,
/// where they are too deep to tell.
pub(super) fn same(a: &Value, b: &Value) -> Tri {
    same_at(a, b, MAX_DEPTH)
}

fn same_at(a: &Value, b: &Value, depth: usize) -> Tri {
    let Some(depth) = depth.checked_sub(1) else { return Tri::Possibly };
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => (compare(a, b) == Ordering::Equal).into(),
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                return Tri::No;
            }
            all(a.iter().zip(b).map(|(a, b)| same_at(a, b, depth)))
        }
        (Value::Object(a), Value::Object(b)) => {
            if a.len() != b.len() {
                return Tri::No;
            }
            all(a.iter().map(|(key, a)| b.get(key).map_or(Tri::No, |b| same_at(a, b, depth))))
        }
        (Value::String(a), Value::String(b)) => (a == b).into(),
        (Value::Bool(a), Value::Bool(b)) => (a == b).into(),
        (Value::Null, Value::Null) => Tri::Yes,
        (
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_),
            _,
        ) => Tri::No,
    }
}

/// All of them hold; none is looked at after a no.
pub(super) fn all(each: impl Iterator<Item = Tri>) -> Tri {
    let mut result = Tri::Yes;
    for one in each {
        result = result.and(one);
        if result == Tri::No {
            break;
        }
    }
    result
}

/// One of them holds; none is looked at after a yes.
pub(super) fn any(each: impl Iterator<Item = Tri>) -> Tri {
    let mut result = Tri::No;
    for one in each {
        result = result.or(one);
        if result == Tri::Yes {
            break;
        }
    }
    result
}

/// The order of two numbers by their value, exactly: a whole number is never rounded to be compared. (One
/// past 64 bits was rounded when it was read.)
pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (Exact::new(a), Exact::new(b)) {
        (Exact::Whole(a), Exact::Whole(b)) => a.cmp(&b),
        (Exact::Float(a), Exact::Float(b)) => a.total_cmp(&b),
        (Exact::Whole(a), Exact::Float(b)) => whole_to_float(a, b),
        (Exact::Float(a), Exact::Whole(b)) => whole_to_float(b, a).reverse(),
    }
}

fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

enum Exact {
    Whole(i128),
    /// With a fraction, or beyond [`WHOLE_LIMIT`].
    Float(f64),
}

/// 2 to the 100: any float below it fits an `i128`, any number of 64 bits is below it.
const WHOLE_LIMIT: f64 = 1_267_650_600_228_229_401_496_703_205_376.0;

impl Exact {
    fn new(number: &Number) -> Self {
        if let Some(whole) = number.as_i64() {
            return Self::Whole(whole.into());
        }
        if let Some(whole) = number.as_u64() {
            return Self::Whole(whole.into());
        }
        let float = number.as_f64().unwrap_or(f64::NAN);
        if float.fract() == 0.0 && float.abs() < WHOLE_LIMIT {
            return Self::Whole(floor(float));
        }
        Self::Float(float)
    }
}

/// `float` has a fraction or is beyond the limit, so the two are never equal.
fn whole_to_float(whole: i128, float: f64) -> Ordering {
    if float >= WHOLE_LIMIT {
        Ordering::Less
    } else if float <= -WHOLE_LIMIT {
        Ordering::Greater
    } else if whole <= floor(float) {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the callers' floats are below the limit")]
fn floor(float: f64) -> i128 {
    float.floor() as i128
}
