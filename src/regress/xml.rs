// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the XML of the exports in memory: elements, attributes, text.

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

/// A growing document.
pub(super) struct Xml(Writer<Vec<u8>>);

/// Names and values.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Xml {
    pub fn new() -> Self {
        let mut xml = Xml(Writer::new_with_indent(Vec::new(), b' ', 1));
        xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// Writes an element, with the contents that `inside` writes.
    pub fn element(&mut self, name: &str, attributes: Attributes<'_>, inside: impl FnOnce(&mut Self)) {
        self.event(Event::Start(start(name, attributes)));
        inside(self);
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Writes an empty element.
    pub fn empty(&mut self, name: &str, attributes: Attributes<'_>) {
        self.event(Event::Empty(start(name, attributes)));
    }

    /// Writes an element that contains text.
    pub fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        let text = allowed(text);
        self.element(name, attributes, |xml| xml.event(Event::Text(BytesText::new(&text))));
    }

    pub fn finish(self) -> String {
        let mut text = String::from_utf8_lossy(&self.0.into_inner()).into_owned();
        text.push('\n');
        text
    }

    fn event(&mut self, event: Event<'_>) {
        let _ = self.0.write_event(event); // writing to a Vec does not fail
    }
}

fn start<'a>(name: &'a str, attributes: Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (name, value) in attributes {
        start.push_attribute((*name, &*allowed(value)));
    }
    start
}

/// Replaces all control characters but newline and tab: XML does not allow most of them.
fn allowed(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !['\n', '\t'].contains(&c) { '\u{fffd}' } else { c }).collect()
}
