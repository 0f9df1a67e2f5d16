//! The tools of Goose's developer extension, which comes with it.

use super::entry::{Language, ToolEntry};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::grep("developer__analyze", &["path"], &[]),
    ToolEntry::edit("developer__edit", &["path"]),
    ToolEntry::read("developer__image_processor", &["path"]),
    // A path, or a URL.
    ToolEntry::read("developer__read_image", &["source"]).sends(),
    ToolEntry::shell("developer__shell", &["command"], Language::BashUnlessWindows),
    // Views, makes and changes, as an argument says.
    ToolEntry::edit("developer__text_editor", &["path"]),
    ToolEntry::tree("developer__tree", &["path"]),
    ToolEntry::write("developer__write", &["path"]),
    ToolEntry::looks("todo__todo_read"),
    ToolEntry::keeps("todo__todo_write"),
];
