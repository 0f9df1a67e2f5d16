//! Values of Python as JSON, and back. What JSON has no form for is refused, with its place; nothing is changed on the way.

use std::fmt;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// How deep values may be nested, as in the JSON that the other ways to hand over a call read. Whatever holds itself is found by it, too.
const DEEPEST: usize = 128;

/// How many values a call may hold, so that a small object that is in itself many times does not fill the memory.
const MOST: usize = 1_000_000;

/// The way from the value that was handed over to the one that is no JSON.
#[derive(Clone, Copy)]
enum At<'a> {
    Top(&'a str),
    Key(&'a At<'a>, &'a str),
    Item(&'a At<'a>, usize),
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top(name) => f.write_str(name),
            Self::Key(above, key) => write!(f, "{above}.{key}"),
            Self::Item(above, index) => write!(f, "{above}[{index}]"),
        }
    }
}

/// The value as JSON.
///
/// # Errors
///
/// In words, with the place below `name`.
pub(crate) fn read(value: &Bound<'_, PyAny>, name: &str) -> Result<Value, String> {
    let mut left = MOST;
    read_at(value, At::Top(name), 0, &mut left)
}

fn read_at(value: &Bound<'_, PyAny>, at: At<'_>, depth: usize, left: &mut usize) -> Result<Value, String> {
    if depth > DEEPEST {
        return Err(format!(
            "`{}` is nested more than {DEEPEST} deep, or holds itself",
            shortened(&at.to_string())
        ));
    }
    *left = left.checked_sub(1).ok_or_else(|| format!("it holds more than {MOST} values"))?;
    if let Ok(text) = value.cast::<PyString>() {
        let text =
            text.to_str().map_err(|_| format!("`{at}` holds half of a surrogate pair, which no text can"))?;
        return Ok(Value::String(text.to_owned()));
    }
    if value.is_none() {
        return Ok(Value::Null);
    }
    // Before numbers: a bool is one of Python's ints.
    if let Ok(yes) = value.cast::<PyBool>() {
        return Ok(Value::Bool(yes.is_true()));
    }
    if let Ok(number) = value.cast::<PyInt>() {
        return read_int(number, at).map(Value::Number);
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Number::from_f64(number.value())
            .map(Value::Number)
            .ok_or_else(|| format!("`{at}` is {}, which JSON has no form for", number.value()));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let entries = dict.iter();
        return read_map(entries.map(Ok), dict.len(), at, depth, left).map(Value::Object);
    }
    if let Ok(list) = value.cast::<PyList>() {
        return read_list(list.iter(), at, depth, left);
    }
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return read_list(tuple.iter(), at, depth, left);
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let failed = |e: PyErr| format!("`{at}` could not be read: {e}");
        let items = mapping.items().map_err(failed)?;
        let entries =
            items.iter().map(|pair| pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(failed));
        return read_map(entries, items.len(), at, depth, left).map(Value::Object);
    }
    Err(format!("`{at}` is {}, which JSON has no form for", kind_of(value)))
}

fn read_map<'py>(
    entries: impl Iterator<Item = Result<(Bound<'py, PyAny>, Bound<'py, PyAny>), String>>,
    size: usize,
    at: At<'_>,
    depth: usize,
    left: &mut usize,
) -> Result<Map<String, Value>, String> {
    let mut map = Map::with_capacity(size.min(MOST));
    for entry in entries {
        let (key, value) = entry?;
        let key = key
            .cast::<PyString>()
            .map_err(|_| format!("a key of `{at}` is {}, and keys are strings", kind_of(&key)))?;
        let key = key
            .to_str()
            .map_err(|_| format!("a key of `{at}` holds half of a surrogate pair, which no text can"))?;
        let value = read_at(&value, At::Key(&at, key), depth + 1, left)?;
        if map.insert(key.to_owned(), value).is_some() {
            return Err(format!("the key `{key}` stands twice in `{at}`"));
        }
    }
    Ok(map)
}

fn read_list<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    at: At<'_>,
    depth: usize,
    left: &mut usize,
) -> Result<Value, String> {
    let mut list = Vec::new();
    for (index, item) in items.enumerate() {
        list.push(read_at(&item, At::Item(&at, index), depth + 1, left)?);
    }
    Ok(Value::Array(list))
}

fn read_int(number: &Bound<'_, PyInt>, at: At<'_>) -> Result<Number, String> {
    if let Ok(number) = number.extract::<i64>() {
        return Ok(number.into());
    }
    let number = number.extract::<u64>();
    number.map(Number::from).map_err(|_| format!("`{at}` is a whole number of more than 64 bits"))
}

/// What a value is, in words of Python.
pub(crate) fn kind_of(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string());
    format!("of type {name}")
}

/// A place may be as long as its keys are.
fn shortened(place: &str) -> String {
    match place.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", place.get(..end).unwrap_or_default()),
        None => place.to_owned(),
    }
}

/// JSON as values of Python, each time new ones.
pub(crate) fn write<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(yes) => PyBool::new(py, *yes).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(write(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => write_map(py, map)?.into_any(),
    })
}

/// As [`write`], an object.
pub(crate) fn write_map<'py>(py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, write(py, value)?)?;
    }
    Ok(dict)
}
