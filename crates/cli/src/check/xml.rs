//! As much of XML as `pom.xml` has: elements within elements, and their texts. Attributes, comments and declarations are passed over.

/// An element with what stands directly in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub children: Vec<Element>,
    /// Its text, without that of its children.
    pub content: String,
}

/// Elements within elements beyond this are refused.
const MAX_DEPTH: usize = 100;

impl Element {
    /// The root of a document.
    pub fn parse(text: &str) -> Result<Element, String> {
        // What is open, from the outermost on; the first stands for the document.
        let mut open = vec![Element::default()];
        let mut rest = text;
        while let Some(at) = rest.find('<') {
            top(&mut open).content.push_str(&unescaped(&rest[..at]));
            rest = &rest[at..];
            let (passed, after) = match rest {
                _ if rest.starts_with("<!--") => ("", after(rest, "-->")?),
                _ if rest.starts_with("<![CDATA[") => {
                    let end = after(rest, "]]>")?;
                    top(&mut open).content.push_str(&rest[9..rest.len() - end.len() - 3]);
                    ("", end)
                }
                _ if rest.starts_with("<?") || rest.starts_with("<!") => ("", after(rest, ">")?),
                _ => {
                    let end = after(rest, ">")?;
                    (&rest[1..rest.len() - end.len() - 1], end)
                }
            };
            rest = after;
            tag(passed, &mut open)?;
        }
        match open.pop() {
            Some(mut document) if open.is_empty() && document.children.len() == 1 => Ok(document.children.remove(0)),
            Some(left) if !open.is_empty() => Err(format!("<{}> is not closed", left.name)),
            _ => Err("this is no XML document".into()),
        }
    }

    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The text of a child, if it has any.
    pub fn text(&self, name: &str) -> Option<String> {
        self.child(name).map(|child| child.content.trim().to_string()).filter(|text| !text.is_empty())
    }
}

fn top(open: &mut [Element]) -> &mut Element {
    open.last_mut().expect("the document is open")
}

/// What follows a mark.
fn after<'a>(text: &'a str, mark: &str) -> Result<&'a str, String> {
    text.find(mark).map(|at| &text[at + mark.len()..]).ok_or_else(|| format!("{mark} is missing"))
}

/// Opens or closes an element.
fn tag(tag: &str, open: &mut Vec<Element>) -> Result<(), String> {
    if tag.is_empty() {
        return Ok(());
    }
    if let Some(name) = tag.strip_prefix('/') {
        let closed = open.pop().filter(|element| element.name == name.trim() && !open.is_empty());
        let closed = closed.ok_or_else(|| format!("</{}> closes nothing", name.trim()))?;
        top(open).children.push(closed);
        return Ok(());
    }
    let name = tag.trim_end_matches('/').split_whitespace().next().unwrap_or_default().to_string();
    let element = Element { name, ..Element::default() };
    match tag.ends_with('/') {
        true => top(open).children.push(element),
        false if open.len() > MAX_DEPTH => return Err("elements are nested too deeply".into()),
        false => open.push(element),
    }
    Ok(())
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_and_what_is_wrong_is_said() {
        let text = "<?xml version='1.0'?><!-- <x> --><project a='1'><b>1 &amp; 2</b><c/><d><e> <![CDATA[<f>]]> </e></d></project>\n";
        let project = Element::parse(text).expect("it is XML");
        assert_eq!(project.name, "project");
        assert_eq!(project.text("b").as_deref(), Some("1 & 2"));
        assert_eq!(project.text("c"), None);
        assert_eq!(project.child("d").and_then(|d| d.text("e")).as_deref(), Some("<f>"));
        for wrong in ["", "text", "<a>", "<a></b>", "</a>", "<a", "<a><!-- </a>", "<a/><b/>"] {
            assert!(Element::parse(wrong).is_err(), "{wrong}");
        }
        assert!(Element::parse(&"<a>".repeat(5_000)).is_err());
    }
}
