//! What the server has said of its tools: hints, argument names, and what it said of them before.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::scan::{alike, folded};
use crate::call::Hints;
use crate::grant::{State, StateError};

/// So many tools are remembered; a list with more is not taken.
const TOOLS: usize = 2000;
/// No tool's name is longer.
const NAME: usize = 256;
/// No tool has more arguments.
const ARGUMENTS: usize = 1000;
/// So many bytes of names are remembered.
const NAMES: usize = 4 << 20;

/// What is known of one tool.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// The listing that it was last in.
    pub(super) listing: u64,
    /// What it says of itself.
    pub(super) hints: Hints,
    /// The names of its arguments.
    pub(super) arguments: Vec<String>,
    /// Arguments that go into headers, over HTTP: the path to each, and the header's name.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "only HTTP has headers"))]
    pub(super) headers: Vec<(Vec<String>, String)>,
    /// It is not what was pinned; in words.
    pub(super) changed: Option<String>,
}

/// Digests of what a tool was when it was first seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pin {
    description: String,
    schema: String,
    /// Annotations, title and the schema of results.
    rest: String,
}

/// The tools of one server as they were first seen, in the state folder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Pinned {
    server: String,
    tools: BTreeMap<String, Pin>,
}

/// Where what was first seen is kept.
#[derive(Clone, Debug)]
pub struct PinFile {
    /// The state folder.
    pub state: State,
    /// What this server is kept under.
    pub id: String,
}

const FOLDER: &str = "pins";

/// The tools of the server.
#[derive(Debug)]
pub(super) struct Tools {
    known: HashMap<String, Known>,
    pinned: Pinned,
    file: Option<PinFile>,
    /// A changed tool keeps the pin of its first sight.
    strict: bool,
    fresh: bool,
    /// The number of the listing that goes on, page by page.
    listing: u64,
}

/// What a list of tools brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Learnt {
    /// What the user should hear of.
    pub(super) notes: Vec<String>,
}

impl Tools {
    /// What was kept of the server called `server`.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub(super) fn new(server: &str, file: Option<PinFile>, strict: bool) -> Result<Self, StateError> {
        let kept = match &file {
            Some(file) => file.state.kept::<Pinned>(FOLDER, &file.id)?,
            None => None,
        };
        let fresh = kept.is_none();
        let pinned = kept.unwrap_or_else(|| Pinned { server: server.to_owned(), ..Pinned::default() });
        Ok(Self { known: HashMap::new(), pinned, file, strict, fresh, listing: 0 })
    }

    /// What is known of a tool.
    pub(super) fn get(&self, name: &str) -> Option<&Known> {
        self.known.get(name)
    }

    /// The tool that this name, which is none, could be taken for.
    pub(super) fn alike(&self, name: &str) -> Option<&str> {
        let seen = folded(name);
        self.known.keys().find(|known| folded(known) == seen).map(String::as_str)
    }

    /// Why a call of this tool is refused, where tools are pinned.
    pub(super) fn refusal(&self, name: &str) -> Option<String> {
        if !self.strict {
            return None;
        }
        match self.known.get(name) {
            Some(Known { changed: Some(how), .. }) => Some(format!(
                "the tool is not what it was when it was first seen ({how}), and its server is pinned. A person who has looked at it starts `policy mcp` once without `--pin` to take it as it is now"
            )),
            Some(_) => None,
            None => Some(
                "the server is pinned, and has not yet said in this session what this tool is; list its tools first".to_owned(),
            ),
        }
    }

    /// Why these arguments could mean something else to the server than to a rule, in words: some servers do not look at case.
    pub(super) fn mistakable(&self, name: &str, args: &Map<String, Value>) -> Option<String> {
        let known: Vec<&str> = self
            .known
            .get(name)
            .map(|k| k.arguments.iter().map(String::as_str).collect())
            .unwrap_or_default();
        let mut seen = HashSet::new();
        for key in args.keys() {
            if let Some(other) = alike(key, &known) {
                return Some(format!("the argument `{key}` can be taken for `{other}`"));
            }
            if !seen.insert(folded(key)) && !known.contains(&key.as_str()) {
                return Some(format!("the argument `{key}` stands there twice, in another case"));
            }
        }
        None
    }

    /// Takes what a page of a list says; `Err` in words when it is none. What a listing from its first page to its last does not name is
    /// forgotten.
    pub(super) fn learn(&mut self, tools: &[Value], page: Page) -> Result<Learnt, String> {
        let listing = self.listing + u64::from(page.is_first);
        self.check(tools, listing)?;
        if page.is_first {
            // What an earlier listing named that was never read to its end.
            self.known.retain(|_, known| known.listing == self.listing);
            self.listing = listing;
        }
        let mut learnt = Learnt::default();
        let first = self.fresh && self.pinned.tools.is_empty();
        let mut write = false;
        for tool in tools {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            let twice = self.known.get(name).is_some_and(|known| known.listing == self.listing);
            let mut known = Known {
                listing: self.listing,
                hints: if twice { Hints::default() } else { hints(tool) },
                arguments: arguments(tool),
                headers: headers(tool),
                changed: None,
            };
            if twice {
                learnt
                    .notes
                    .push(format!("the server lists the tool `{name}` twice; its hints are not believed"));
            }
            let pin = Pin::of(tool);
            match self.pinned.tools.get(name) {
                Some(before) if *before == pin => {}
                Some(before) => {
                    let how = before.changed(&pin);
                    learnt
                        .notes
                        .push(format!("the tool `{name}` has changed since it was first seen: {how}"));
                    known.changed = Some(how);
                    if !self.strict {
                        self.pinned.tools.insert(name.to_owned(), pin);
                        write = true;
                    }
                }
                None => {
                    if !first {
                        learnt.notes.push(format!("the server has a new tool `{name}`"));
                    }
                    self.pinned.tools.insert(name.to_owned(), pin);
                    write = true;
                }
            }
            self.known.insert(name.to_owned(), known);
        }
        if page.is_last {
            self.known.retain(|_, known| known.listing == self.listing);
        }
        if self.pinned.tools.len() > TOOLS && !self.strict {
            // A server whose tools have new names every day.
            self.pinned.tools.retain(|name, _| self.known.contains_key(name));
        }
        if write
            && let Some(file) = &self.file
            && let Err(e) = file.state.keep(FOLDER, &file.id, &self.pinned)
        {
            learnt.notes.push(format!("what the server's tools look like cannot be kept: {e}"));
        }
        self.fresh = false;
        Ok(learnt)
    }
}

impl Tools {
    /// Whether a page can be remembered; nothing is before that is known.
    fn check(&self, tools: &[Value], listing: u64) -> Result<(), String> {
        let mut new: HashMap<&str, usize> = HashMap::new();
        for tool in tools {
            let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
            if name.len() > NAME {
                return Err("the name of a tool is too long".to_owned());
            }
            let names = properties(tool);
            if names.clone().count() > ARGUMENTS {
                return Err(format!("the tool `{name}` has more than {ARGUMENTS} arguments"));
            }
            new.insert(name, name.len() + names.map(String::len).sum::<usize>());
        }
        let is_kept =
            |(name, known): &(&String, &Known)| known.listing == listing && !new.contains_key(name.as_str());
        let kept = || self.known.iter().filter(is_kept);
        let pinned = self.pinned.tools.keys().filter(|name| !new.contains_key(name.as_str())).count();
        if kept().count() + new.len() > TOOLS || (self.strict && pinned + new.len() > TOOLS) {
            return Err(format!("the server has more than {TOOLS} tools"));
        }
        let of = |(name, known): (&String, &Known)| {
            name.len() + known.arguments.iter().map(String::len).sum::<usize>()
        };
        if kept().map(of).sum::<usize>() + new.values().sum::<usize>() > NAMES {
            return Err("the names of its tools and their arguments are too long".to_owned());
        }
        Ok(())
    }
}

/// What part of a list something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// It was asked for from the start.
    pub(super) is_first: bool,
    /// No more follows.
    pub(super) is_last: bool,
}

impl Pin {
    fn of(tool: &Value) -> Self {
        let of = |keys: &[&str]| {
            let values = keys.iter().map(|key| tool.get(key).cloned().unwrap_or_default()).collect();
            digest(&Value::Array(values))
        };
        Self {
            description: of(&["description", "title"]),
            schema: of(&["inputSchema"]),
            rest: of(&["annotations", "outputSchema", "execution"]),
        }
    }

    fn changed(&self, now: &Self) -> String {
        let parts = [
            (self.description != now.description, "description"),
            (self.schema != now.schema, "input schema"),
            (self.rest != now.rest, "annotations or output schema"),
        ];
        let changed: Vec<&str> = parts.into_iter().filter(|(yes, _)| *yes).map(|(_, what)| what).collect();
        changed.join(" and ")
    }
}

/// A hash that is the same however the object is written.
fn digest(value: &Value) -> String {
    crate::call::Call::new("").arg("v", value.clone()).digest()
}

/// The hints of a tool. What has a wrong type is not said; who contradicts himself is not believed.
fn hints(tool: &Value) -> Hints {
    let hint = |name: &str| tool.get("annotations")?.get(name)?.as_bool();
    let mut hints = Hints {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    };
    if hints.read_only == Some(true) && hints.destructive != Some(true) {
        // The protocol gives it no meaning beside `readOnlyHint`.
        hints.idempotent = None;
    }
    if hints.contradiction().is_some() {
        Hints { open_world: hints.open_world, ..Hints::default() }
    } else {
        hints
    }
}

fn properties(tool: &Value) -> impl Iterator<Item = &String> + Clone {
    let properties =
        tool.get("inputSchema").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys)
}

fn arguments(tool: &Value) -> Vec<String> {
    properties(tool).cloned().collect()
}

/// The arguments that a schema wants in headers, with the path to each.
fn headers(tool: &Value) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let Some(schema) = tool.get("inputSchema") else { return found };
    let mut open = vec![(Vec::new(), schema)];
    while let Some((path, schema)) = open.pop() {
        // Nobody nests arguments deeper; a schema that does costs nothing more.
        if path.len() > 16 || found.len() > 64 {
            continue;
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let mut below: Vec<String> = path.clone();
            below.push(name.clone());
            if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str) {
                found.push((below.clone(), header.to_owned()));
            }
            open.push((below, property));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ALL: Page = Page { is_first: true, is_last: true };

    fn tools(file: Option<PinFile>, strict: bool) -> Tools {
        Tools::new("s", file, strict).unwrap()
    }

    #[test]
    fn hints_are_remembered_and_who_contradicts_himself_is_not_believed() {
        let of = |annotations: Value| hints(&json!({"name": "t", "annotations": annotations}));
        assert_eq!(of(json!({"readOnlyHint": true})).read_only, Some(true));
        assert_eq!(of(json!({"readOnlyHint": true, "idempotentHint": false})).read_only, Some(true));
        assert_eq!(of(json!({"readOnlyHint": true, "destructiveHint": true})).read_only, None);
        assert_eq!(of(json!({"readOnlyHint": "true"})), Hints::default());
        assert_eq!(of(json!([true])), Hints::default());
        let mut seen = tools(None, false);
        let list = [json!({"name": "t", "annotations": {"readOnlyHint": true}}), json!({"name": "t"})];
        assert!(seen.learn(&list, ALL).unwrap().notes.concat().contains("twice"));
        assert_eq!(seen.get("t").unwrap().hints, Hints::default());
    }

    #[test]
    fn an_argument_that_a_server_could_take_for_another_is_found() {
        let mut seen = tools(None, false);
        seen.learn(
            &[json!({"name": "t", "inputSchema": {"properties": {"path": {}, "a": {}, "A": {}}}})],
            ALL,
        )
        .unwrap();
        let found = |args: Value| seen.mistakable("t", args.as_object().unwrap());
        assert_eq!(found(json!({"path": 1, "other": 2})), None);
        assert_eq!(found(json!({"a": 1, "A": 2})), None);
        assert!(found(json!({"Path": 1})).unwrap().contains("taken for `path`"));
        assert!(found(json!({"other": 1, "OTHER": 2})).unwrap().contains("twice"));
        assert!(seen.mistakable("unlisted", json!({"x": 1, "X": 2}).as_object().unwrap()).is_some());
    }

    #[test]
    fn a_change_is_told_once_and_a_pinned_one_stays_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = || Some(PinFile { state: State::at(folder.path().join("state")), id: "x".into() });
        let first = [json!({"name": "t", "description": "one", "inputSchema": {"a": 1, "b": 2}})];
        let same = [json!({"inputSchema": {"b": 2, "a": 1}, "description": "one", "name": "t", "_meta": 1})];
        let other = [json!({"name": "t", "description": "two", "inputSchema": {}})];
        assert_eq!(tools(file(), false).learn(&first, ALL).unwrap().notes, Vec::<String>::new());
        assert_eq!(tools(file(), false).learn(&same, ALL).unwrap().notes, Vec::<String>::new());
        let mut pinned = tools(file(), true);
        assert!(pinned.refusal("t").unwrap().contains("list its tools first"));
        for _ in 0..2 {
            let notes = pinned.learn(&other, ALL).unwrap().notes.concat();
            assert!(
                notes.contains("`t` has changed since it was first seen: description and input schema"),
                "{notes}"
            );
            assert!(pinned.refusal("t").unwrap().contains("description and input schema"));
        }
        pinned.learn(&first, ALL).unwrap();
        assert_eq!(pinned.refusal("t"), None);
        assert_eq!(tools(file(), false).learn(&other, ALL).unwrap().notes.len(), 1);
        assert_eq!(tools(file(), false).learn(&other, ALL).unwrap().notes.len(), 0);
        let more = [json!({"name": "u"})];
        assert_eq!(tools(file(), false).learn(&more, ALL).unwrap().notes, ["the server has a new tool `u`"]);
    }

    #[test]
    fn a_tool_on_two_pages_is_listed_twice_and_one_that_is_listed_no_more_is_forgotten() {
        let mut seen = tools(None, false);
        let good = [json!({"name": "t", "annotations": {"readOnlyHint": true}}), json!({"name": "u"})];
        let (first, last) = (Page { is_last: false, ..ALL }, Page { is_first: false, ..ALL });
        seen.learn(&good, ALL).unwrap();
        assert_eq!(seen.get("t").unwrap().hints.read_only, Some(true));
        seen.learn(&[json!({"name": "t", "annotations": {"destructiveHint": true}})], first).unwrap();
        assert!(seen.get("u").is_some());
        assert!(seen.learn(&good[..1], last).unwrap().notes.concat().contains("twice"));
        assert_eq!(seen.get("t").unwrap().hints, Hints::default());
        assert!(seen.get("u").is_none());
        seen.learn(&good, ALL).unwrap();
        assert_eq!(seen.get("t").unwrap().hints.read_only, Some(true));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let with = |name: String, count: usize, length: usize| {
            let names: Map<String, Value> =
                (0..count).map(|n| (format!("{n}{}", "a".repeat(length)), json!({}))).collect();
            json!({"name": name, "inputSchema": {"properties": names}})
        };
        let mut seen = tools(None, false);
        assert!(
            seen.learn(&[with("t".into(), 1001, 1)], ALL).unwrap_err().contains("more than 1000 arguments")
        );
        assert!(seen.learn(&[with("t".into(), 10, 1 << 20)], ALL).unwrap_err().contains("too long"));
        assert!(seen.get("t").is_none());
        for round in 0..4 {
            let many: Vec<Value> = (0..1500).map(|n| json!({"name": format!("{round}_{n}")})).collect();
            seen.learn(&many, ALL).unwrap();
            assert_eq!(seen.known.len(), 1500);
            assert!(seen.pinned.tools.len() <= 3000);
            assert!(seen.learn(&many, Page { is_first: false, ..ALL }).is_ok());
        }
        let more: Vec<Value> = (0..2001).map(|n| json!({"name": n.to_string()})).collect();
        assert!(seen.learn(&more, ALL).unwrap_err().contains("more than 2000 tools"));
    }

    #[test]
    fn headers_of_arguments_are_found_where_they_may_be() {
        let schema = json!({"properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "in": {"properties": {"deep": {"x-mcp-header": "Deep"}}},
            "list": {"items": {"properties": {"no": {"x-mcp-header": "No"}}}},
        }});
        let mut found = headers(&json!({"inputSchema": schema}));
        found.sort();
        assert_eq!(
            found,
            [(vec!["in".into(), "deep".into()], "Deep".into()), (vec!["region".into()], "Region".into())]
        );
    }
}
