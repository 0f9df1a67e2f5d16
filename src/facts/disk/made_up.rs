//! A made-up disk, for tests of policies and for `--made-up-fs`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::follow::Place;
use super::{Disk, Kind, Os, resolve};

/// The keys of `fs`.
const KEYS: [&str; 6] = ["case_insensitive", "files", "home", "links", "normalizes_unicode", "os"];

/// A file system that stands in a call as its `fs`.
#[derive(Clone, Debug, Default)]
pub struct MadeUpDisk {
    home: Option<String>,
    /// Folded path to text, where the text is given. `None`: whether a file exists is unknown.
    files: Option<BTreeMap<String, Option<String>>>,
    /// Folded path to target as written.
    links: BTreeMap<String, String>,
    /// Folded folder to the names in it, as written.
    folders: BTreeMap<String, BTreeSet<String>>,
    case_insensitive: bool,
    normalizes_unicode: bool,
    os: Os,
}

/// Why a call's `fs` is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MadeUpDiskError {
    /// A key that means nothing.
    #[error("unknown key `{0}` in `fs`; it may have {keys}", keys = shown_keys())]
    UnknownKey(String),
    /// A value of another type than its key takes.
    #[error("`{key}` must be {wanted}")]
    WrongType {
        /// Where: `fs`, `fs.files`.
        key: String,
        /// What it takes.
        wanted: &'static str,
    },
    /// A path that does not start at the root.
    #[error("`{path}` in `{key}` must be an absolute path")]
    NotAbsolute {
        /// Where.
        key: String,
        /// The path.
        path: String,
    },
}

fn shown_keys() -> String {
    KEYS.map(|key| format!("`{key}`")).join(", ")
}

impl MadeUpDisk {
    /// Reads a call's `fs`.
    pub fn from_json(value: &Value) -> Result<Self, MadeUpDiskError> {
        let Value::Object(map) = value else { return Err(wrong("fs", "an object")) };
        if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(MadeUpDiskError::UnknownKey(key.clone()));
        }
        let os = match map.get("os") {
            None => Os::Linux,
            Some(Value::String(os)) if os == "linux" => Os::Linux,
            Some(Value::String(os)) if os == "macos" => Os::Macos,
            Some(Value::String(os)) if os == "windows" => Os::Windows,
            Some(_) => return Err(wrong("fs.os", "`linux`, `macos` or `windows`")),
        };
        let flag = |key: &str, otherwise: bool| match map.get(key) {
            None => Ok(otherwise),
            Some(Value::Bool(yes)) => Ok(*yes),
            Some(_) => Err(wrong(&format!("fs.{key}"), "true or false")),
        };
        let mut disk = Self {
            case_insensitive: flag("case_insensitive", os == Os::Windows)?,
            normalizes_unicode: flag("normalizes_unicode", os == Os::Macos)?,
            os,
            ..Self::default()
        };
        match map.get("home") {
            None => {}
            Some(Value::String(home)) => disk.home = Some(disk.absolute("fs.home", home)?.path()),
            Some(_) => return Err(wrong("fs.home", "an absolute path")),
        }
        if let Some(links) = map.get("links") {
            disk.read_links(links)?;
        }
        if let Some(files) = map.get("files") {
            disk.read_files(files)?;
        }
        Ok(disk)
    }

    fn read_links(&mut self, links: &Value) -> Result<(), MadeUpDiskError> {
        let wanted = "an object of `from: to`";
        let Value::Object(links) = links else { return Err(wrong("fs.links", wanted)) };
        for (from, to) in links {
            let Value::String(to) = to else { return Err(wrong("fs.links", wanted)) };
            let from = self.absolute("fs.links", from)?;
            self.enter(&from);
            self.links.insert(self.fold(&from.path()), to.clone());
        }
        Ok(())
    }

    fn read_files(&mut self, files: &Value) -> Result<(), MadeUpDiskError> {
        let wanted = "a list of absolute paths, or an object of `path: text`";
        let mut read = BTreeMap::new();
        match files {
            Value::Array(paths) => {
                for path in paths {
                    let Value::String(path) = path else { return Err(wrong("fs.files", wanted)) };
                    let place = self.absolute("fs.files", path)?;
                    self.enter_file(&place, path, None, &mut read);
                }
            }
            Value::Object(texts) => {
                for (path, text) in texts {
                    let Value::String(text) = text else { return Err(wrong("fs.files", wanted)) };
                    let place = self.absolute("fs.files", path)?;
                    self.enter_file(&place, path, Some(text.clone()), &mut read);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                return Err(wrong("fs.files", wanted));
            }
        }
        self.files = Some(read);
        Ok(())
    }

    /// A path that ends in `/` is a folder, with nothing in it unless more is listed.
    fn enter_file(
        &mut self,
        place: &Place,
        written: &str,
        text: Option<String>,
        files: &mut BTreeMap<String, Option<String>>,
    ) {
        self.enter(place);
        let key = self.fold(&place.path());
        if written.ends_with('/') {
            self.folders.entry(key).or_default();
        } else {
            files.insert(key, text);
        }
    }

    /// Enters each name of a path in the folder above it.
    fn enter(&mut self, place: &Place) {
        let mut folder = Place { root: place.root.clone(), names: Vec::new() };
        for name in &place.names {
            let key = self.fold(&folder.path());
            self.folders.entry(key).or_default().insert(name.clone());
            folder.names.push(name.clone());
        }
    }

    fn absolute(&self, key: &str, path: &str) -> Result<Place, MadeUpDiskError> {
        Place::absolute(path, self.os)
            .ok_or_else(|| MadeUpDiskError::NotAbsolute { key: key.to_owned(), path: path.to_owned() })
    }

    fn fold(&self, path: &str) -> String {
        let path = match path.strip_suffix('/') {
            Some("") | None => path,
            Some(shorter) => shorter,
        };
        let path: String = if self.normalizes_unicode { path.nfc().collect() } else { path.to_owned() };
        if self.case_insensitive { path.chars().flat_map(char::to_lowercase).collect() } else { path }
    }
}

fn wrong(key: &str, wanted: &'static str) -> MadeUpDiskError {
    MadeUpDiskError::WrongType { key: key.to_owned(), wanted }
}

impl Disk for MadeUpDisk {
    fn kind(&self, path: &str) -> Option<Kind> {
        let path = self.fold(path);
        if self.links.contains_key(&path) {
            return Some(Kind::Link);
        }
        let files = self.files.as_ref()?;
        Some(if files.contains_key(&path) {
            Kind::File
        } else if self.folders.contains_key(&path) || path == "/" {
            Kind::Folder
        } else {
            Kind::Missing
        })
    }

    fn link(&self, path: &str) -> Option<String> {
        self.links.get(&self.fold(path)).cloned()
    }

    fn list(&self, path: &str) -> Option<Vec<String>> {
        self.files.as_ref()?;
        Some(
            self.folders
                .get(&self.fold(path))
                .map(|names| names.iter().cloned().collect())
                .unwrap_or_default(),
        )
    }

    fn read(&self, path: &str) -> Option<String> {
        let path = self.fold(&resolve(self, path)?);
        self.files.as_ref()?.get(&path)?.clone()
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    fn normalizes_unicode(&self) -> bool {
        self.normalizes_unicode
    }

    fn os(&self) -> Os {
        self.os
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(text: &str) -> MadeUpDisk {
        MadeUpDisk::from_json(&serde_json::from_str(text).unwrap()).unwrap()
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        let error = MadeUpDisk::from_json(&serde_json::from_str(text).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }

    #[test]
    fn faults_are_named() {
        refused("[]", "`fs` must be an object");
        refused(
            r#"{"file": []}"#,
            "unknown key `file` in `fs`; it may have `case_insensitive`, `files`, `home`, `links`, `normalizes_unicode`, `os`",
        );
        refused(r#"{"os": "beos"}"#, "`fs.os` must be `linux`, `macos` or `windows`");
        refused(r#"{"case_insensitive": 1}"#, "`fs.case_insensitive` must be true or false");
        refused(
            r#"{"files": "x"}"#,
            "`fs.files` must be a list of absolute paths, or an object of `path: text`",
        );
        refused(r#"{"files": ["x"]}"#, "`x` in `fs.files` must be an absolute path");
        refused(
            r#"{"files": [1]}"#,
            "`fs.files` must be a list of absolute paths, or an object of `path: text`",
        );
        refused(r#"{"links": {"/a": 1}}"#, "`fs.links` must be an object of `from: to`");
        refused(r#"{"home": "dev"}"#, "`dev` in `fs.home` must be an absolute path");
    }

    #[test]
    fn files_that_are_listed_are_all_there_are() {
        let disk =
            disk(r#"{"files": {"/p/a/b": "text", "/p/c/": ""}, "links": {"/p/l": "a/b"}, "home": "/h/"}"#);
        assert_eq!(disk.kind("/p/a/b"), Some(Kind::File));
        assert_eq!(disk.kind("/p/a"), Some(Kind::Folder));
        assert_eq!(disk.kind("/p/c"), Some(Kind::Folder));
        assert_eq!(disk.kind("/"), Some(Kind::Folder));
        assert_eq!(disk.kind("/p/l"), Some(Kind::Link));
        assert_eq!(disk.kind("/p/x"), Some(Kind::Missing));
        assert_eq!(disk.list("/p").unwrap(), ["a", "c", "l"]);
        assert_eq!(disk.list("/x").unwrap(), Vec::<String>::new());
        assert_eq!(disk.read("/p/l").as_deref(), Some("text"));
        assert_eq!(disk.home().as_deref(), Some("/h"));
    }

    #[test]
    fn without_files_only_links_are_known() {
        let disk = disk(r#"{"links": {"/p/l": "a"}}"#);
        assert_eq!(disk.kind("/p/l"), Some(Kind::Link));
        assert_eq!(disk.kind("/p/x"), None);
        assert_eq!(disk.list("/p"), None);
        assert_eq!(disk.read("/p/x"), None);
    }

    #[test]
    fn names_are_one_where_the_disk_says_so() {
        let mac = disk(r#"{"os": "macos", "case_insensitive": true, "files": ["/P/Caf\u00e9"]}"#);
        assert_eq!(mac.kind("/p/cafe\u{301}"), Some(Kind::File));
        assert_eq!(disk(r#"{"files": ["/P/x"]}"#).kind("/p/x"), Some(Kind::Missing));
        let windows = disk(r#"{"os": "windows", "files": ["C:\\Users\\dev\\x"]}"#);
        assert_eq!(windows.kind("C:/users/DEV/X"), Some(Kind::File));
        assert_eq!(windows.kind("C:/users"), Some(Kind::Folder));
    }
}
