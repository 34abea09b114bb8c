//! What the JVM did beside what the trace says: outcome, place, result, what was printed, and every object behind them.

use std::collections::VecDeque;

use lazuli_engine::observe::{Node, Observed, Place, Seen};
use lazuli_engine::outcome::Outcome;
use lazuli_engine::vm::Stream;
use lazuli_program::escape;
use rustc_hash::FxHashMap;

use super::Case;
use super::reply::{How, Reply};
use crate::judgement::Verdict;

/// No more differences than these are told.
const MOST: usize = 5;
/// Longer texts are cut.
const MOST_CHARACTERS: usize = 200;

pub(super) fn verdict(case: &Case, reply: &Reply) -> Verdict {
    let differences = match reply {
        Reply::Impossible(why) => return Verdict::NotComparable(why.clone()),
        Reply::Refused(what) => vec![what.clone()],
        Reply::Ended { how, value, place, printed, inputs, nodes } => {
            let mut comparison = Comparison::new(case, nodes);
            comparison.outcome(*how, value, place.as_ref());
            comparison.printed(printed);
            for (number, (ours, theirs)) in case.observed.inputs.iter().zip(inputs).enumerate() {
                comparison.add(case.names[number].clone(), ours, theirs);
            }
            comparison.follow();
            comparison.differences
        }
    };
    match (&case.observed.varies, differences.is_empty()) {
        (_, true) => Verdict::Agrees,
        (Some(why), false) => Verdict::NotComparable(why.clone()),
        (None, false) => Verdict::Differs(differences),
    }
}

/// Two heaps, walked side by side: an object of one is the same object of the other wherever it is met.
struct Comparison<'a> {
    outcome: &'a Outcome,
    observed: &'a Observed,
    theirs: &'a [Node],
    partners: FxHashMap<usize, usize>,
    taken: FxHashMap<usize, usize>,
    /// Pairs that are to be looked into, and how they were reached.
    waiting: VecDeque<(String, usize, usize)>,
    differences: Vec<String>,
}

impl<'a> Comparison<'a> {
    fn new(case: &'a Case, theirs: &'a [Node]) -> Comparison<'a> {
        Comparison {
            outcome: &case.outcome,
            observed: &case.observed,
            theirs,
            partners: FxHashMap::default(),
            taken: FxHashMap::default(),
            waiting: VecDeque::new(),
            differences: Vec::new(),
        }
    }

    fn differ(&mut self, what: String) {
        if self.differences.len() < MOST {
            self.differences.push(what);
        }
    }

    fn outcome(&mut self, how: How, value: &Seen, place: Option<&Place>) {
        if matches!(self.outcome, Outcome::Endless { .. }) {
            return self.differ(format!("the JVM's call ends, and the trace {}", self.outcome));
        }
        match (*self.outcome == Outcome::PostFailed, how == How::PostFailed) {
            (true, true) => return,
            (true, false) if how == How::Returned => {
                return self.differ("the postcondition holds on the JVM, and not in the trace".into());
            }
            (false, true) if self.observed.thrown.is_none() => {
                return self.differ("the postcondition does not hold on the JVM, and it does in the trace".into());
            }
            _ => {}
        }
        match (&self.observed.thrown, how == How::Threw) {
            (None, true) => {
                let thrown = self.show_thrown(value, place);
                self.differ(format!("the JVM throws {thrown}, and the trace {}", self.outcome));
            }
            (Some(_), false) => {
                let returned = show(value, self.theirs);
                self.differ(format!("the JVM returns {returned}, and the trace {}", self.outcome));
            }
            (Some(ours), true) => {
                self.add("the exception".into(), ours, value);
                if let (Some(ours), Some(theirs)) = (&self.observed.place, place)
                    && !is_same_place(ours, theirs)
                {
                    let (ours, theirs) = (show_place(ours), show_place(theirs));
                    self.differ(format!("the JVM throws it at {theirs}, the trace at {ours}"));
                }
            }
            (None, false) => self.result(value),
        }
    }

    /// A number comes in a box: only the trace knows the type.
    fn result(&mut self, value: &Seen) {
        let Some(ours) = &self.observed.result else { return };
        match (ours, value) {
            (Seen::Number(number), Seen::Node(node)) => match self.theirs.get(*node) {
                Some(Node::Boxed { value, .. }) if value == number => {}
                _ => {
                    let theirs = show(value, self.theirs);
                    self.differ(format!("the JVM returns {theirs}, and the trace {number}"));
                }
            },
            _ => self.add("the result".into(), ours, value),
        }
    }

    fn printed(&mut self, theirs: &[(Stream, String)]) {
        let ours = &self.observed.printed;
        // Printing nothing cannot be seen.
        let texts = |printed: &[(Stream, String)]| {
            let texts = printed.iter().filter(|(_, text)| !text.is_empty());
            texts.map(|(stream, text)| (*stream, text.clone())).collect::<Vec<_>>()
        };
        if texts(ours) != texts(theirs) {
            self.differ(format!("the JVM prints {}, and the trace {}", show_printed(theirs), show_printed(ours)));
        }
    }

    /// Two values that must be the same.
    fn add(&mut self, path: String, ours: &Seen, theirs: &Seen) {
        match (ours, theirs) {
            (Seen::Unknown(_), _) | (_, Seen::Unknown(_)) => {}
            (Seen::Node(ours), Seen::Node(theirs)) => self.pair(path, *ours, *theirs),
            _ if ours == theirs => {}
            _ => {
                let (ours, theirs) = (show(ours, &self.observed.nodes), show(theirs, self.theirs));
                self.differ(format!("{path} is {theirs} on the JVM, and {ours} in the trace"));
            }
        }
    }

    fn pair(&mut self, path: String, ours: usize, theirs: usize) {
        let (Some(our_node), Some(their_node)) = (self.observed.nodes.get(ours), self.theirs.get(theirs)) else {
            return;
        };
        // Texts and boxes are what they hold.
        if !matches!(our_node, Node::Array { .. } | Node::Object { .. }) {
            if !is_same_value(our_node, their_node) {
                let (ours, theirs) = (show_node(our_node), show_node(their_node));
                self.differ(format!("{path} is {theirs} on the JVM, and {ours} in the trace"));
            }
            return;
        }
        match (self.partners.get(&ours).copied(), self.taken.get(&theirs).copied()) {
            (Some(partner), Some(_)) if partner == theirs => {}
            (None, None) => {
                self.partners.insert(ours, theirs);
                self.taken.insert(theirs, ours);
                self.waiting.push_back((path, ours, theirs));
            }
            _ => {
                let (ours, theirs) = (show_node(our_node), show_node(their_node));
                self.differ(format!("{path} is another object on the JVM ({theirs}) than in the trace ({ours})"));
            }
        }
    }

    fn follow(&mut self) {
        let (observed, theirs) = (self.observed, self.theirs);
        while let Some((path, our_number, their_number)) = self.waiting.pop_front() {
            match (&observed.nodes[our_number], &theirs[their_number]) {
                (Node::Array { class, elements }, Node::Array { class: their_class, elements: their_elements })
                    if class == their_class && elements.len() == their_elements.len() =>
                {
                    for (at, (ours, theirs)) in elements.iter().zip(their_elements).enumerate() {
                        self.add(format!("{path}[{at}]"), ours, theirs);
                    }
                }
                (Node::Object { class, fields }, Node::Object { class: their_class, fields: their_fields })
                    if is_same_class(class, their_class) =>
                {
                    self.fields(&path, fields, their_fields);
                }
                // What is opaque for one of them is compared by its class.
                (ours, Node::Opaque { class: Some(class) })
                    if class_of(ours).is_some_and(|c| is_same_class(c, class)) => {}
                (ours, theirs) => {
                    let (ours, theirs) = (show_node(ours), show_node(theirs));
                    self.differ(format!("{path} is {theirs} on the JVM, and {ours} in the trace"));
                }
            }
        }
    }

    fn fields(&mut self, path: &str, ours: &[(String, String, Seen)], theirs: &[(String, String, Seen)]) {
        for (owner, name, value) in ours {
            let their = theirs.iter().find(|(their_owner, their_name, _)| their_owner == owner && their_name == name);
            match their {
                Some((_, _, their)) => self.add(format!("{path}.{name}"), value, their),
                None => self.differ(format!("{path} has no field {name} of {owner} on the JVM")),
            }
        }
    }

    fn show_thrown(&self, value: &Seen, place: Option<&Place>) -> String {
        let mut text = show(value, self.theirs);
        if let Seen::Node(node) = value
            && let Some(Node::Object { fields, .. }) = self.theirs.get(*node)
            && let Some((_, _, message)) = fields.iter().find(|(_, name, _)| name == "detailMessage")
            && *message != Seen::Null
        {
            text += &format!(" with the message {}", show(message, self.theirs));
        }
        if let Some(place) = place {
            text += &format!(" at {}", show_place(place));
        }
        text
    }
}

fn is_same_place(ours: &Place, theirs: &Place) -> bool {
    // A frame without a line where there are lines is of a method that the machine has made up (for defaults that contradict).
    if ours.line.is_some() && theirs.line.is_none() {
        return true;
    }
    let lines = ours.line.is_none() || theirs.line.is_none() || ours.line == theirs.line;
    ours.class == theirs.class && ours.method == theirs.method && lines
}

/// An implementation that we have written ourselves has another name where the package is the JDK's.
fn is_same_class(ours: &str, theirs: &str) -> bool {
    ours == theirs || theirs.strip_prefix("uninterpreted/").is_some_and(|theirs| ours.replace('/', "_") == theirs)
}

fn is_same_value(ours: &Node, theirs: &Node) -> bool {
    match (ours, theirs) {
        (Node::Opaque { class: Some(ours) }, _) => class_of(theirs).is_some_and(|theirs| is_same_class(ours, theirs)),
        _ => ours == theirs,
    }
}

fn class_of(node: &Node) -> Option<&str> {
    match node {
        Node::Boxed { class, .. } | Node::Constant { class, .. } => Some(class),
        Node::Array { class, .. } | Node::Object { class, .. } | Node::Opaque { class: Some(class) } => Some(class),
        Node::Text(_) => Some("java/lang/String"),
        Node::Class(_) | Node::Opaque { class: None } => None,
    }
}

fn show(value: &Seen, nodes: &[Node]) -> String {
    match value {
        Seen::Number(number) => number.to_string(),
        Seen::Null => "null".into(),
        Seen::Unknown(_) => "something unknown".into(),
        Seen::Node(node) => nodes.get(*node).map_or_else(|| "an object".into(), show_node),
    }
}

fn show_node(node: &Node) -> String {
    let article = |class: &str| escape::line(&class.replace('/', ".")).into_owned();
    match node {
        Node::Text(units) => show_text(&String::from_utf16_lossy(units)),
        Node::Boxed { class, value } => format!("{}({value})", article(class)),
        Node::Constant { class, name } => format!("{}.{}", article(class), escape::line(name)),
        Node::Class(class) => format!("class {}", article(class)),
        Node::Array { class, elements } => format!("an array {} of {}", article(class), elements.len()),
        Node::Object { class, .. } => format!("an object of {}", article(class)),
        Node::Opaque { class: Some(class) } => format!("an object of {}", article(class)),
        Node::Opaque { class: None } => "a lambda".into(),
    }
}

fn show_text(text: &str) -> String {
    let shown: String = text.chars().take(MOST_CHARACTERS).collect();
    let rest = if shown.len() < text.len() { "…" } else { "" };
    format!("{shown:?}{rest}")
}

fn show_place(place: &Place) -> String {
    let line = place.line.map_or_else(String::new, |line| format!(":{line}"));
    escape::line(&format!("{}.{}{line}", place.class.replace('/', "."), place.method)).into_owned()
}

fn show_printed(printed: &[(Stream, String)]) -> String {
    if printed.is_empty() {
        return "nothing".into();
    }
    let pieces = printed.iter().map(|(stream, text)| match stream {
        Stream::Out => show_text(text),
        Stream::Err => format!("{} to standard error", show_text(text)),
    });
    pieces.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn node(value: i64, next: Seen) -> Node {
        let field = |name: &str, value| ("Node".to_string(), name.to_string(), value);
        Node::Object { class: "Node".into(), fields: vec![field("value", Seen::Number(value)), field("next", next)] }
    }

    /// A method that was given a node whose next is itself, prints and returns another.
    fn observed() -> Observed {
        Observed {
            result: Some(Seen::Node(1)),
            printed: vec![(Stream::Out, "x".into())],
            inputs: vec![Seen::Node(0)],
            nodes: vec![node(1, Seen::Node(0)), node(2, Seen::Null)],
            ..Observed::default()
        }
    }

    fn judged(observed: Observed, outcome: Outcome, reply: Reply) -> Verdict {
        let (verdict, _) = channel();
        let names = vec!["n".into()];
        super::verdict(&Case { program: 0, request: Vec::new(), outcome, observed, names, verdict }, &reply)
    }

    /// The answer that agrees, with a change.
    fn reply(threw: bool, result: usize, printed: &str, nodes: Vec<Node>, place: Option<Place>) -> Reply {
        let printed = vec![(Stream::Out, printed.to_string())];
        let how = if threw { How::Threw } else { How::Returned };
        Reply::Ended { how, value: Seen::Node(result), place, printed, inputs: vec![Seen::Node(1)], nodes }
    }

    #[test]
    fn everything_is_compared() {
        // Numbers of objects mean nothing.
        let nodes = || vec![node(2, Seen::Null), node(1, Seen::Node(1))];
        let said = |reply: Reply| judged(observed(), Outcome::Returned, reply).reasons().join("; ");
        assert_eq!(said(reply(false, 0, "x", nodes(), None)), "");
        assert!(said(reply(false, 0, "y", nodes(), None)).contains("prints \"y\""));
        assert!(said(reply(true, 0, "x", nodes(), None)).contains("throws"));
        let other = vec![node(3, Seen::Null), node(1, Seen::Node(1))];
        assert!(said(reply(false, 0, "x", other, None)).contains("the result.value is 3 on the JVM, and 2"));
        let unchanged = vec![node(2, Seen::Null), node(1, Seen::Null)];
        assert!(said(reply(false, 0, "x", unchanged, None)).contains("n.next is null on the JVM"));
        // The same contents, but another object.
        assert!(said(reply(false, 1, "x", nodes(), None)).contains("n is another object"));
        let differs = Observed { varies: Some("a hash".into()), ..observed() };
        let verdict = judged(differs, Outcome::Returned, reply(false, 0, "y", nodes(), None));
        assert_eq!(verdict, Verdict::NotComparable("a hash".into()));
    }

    #[test]
    fn postconditions_are_compared() {
        let said = |outcome: Outcome, how: How| {
            let observed = Observed::default();
            let (inputs, nodes, printed) = (Vec::new(), Vec::new(), Vec::new());
            let reply = Reply::Ended { how, value: Seen::Null, place: None, printed, inputs, nodes };
            judged(observed, outcome, reply).reasons().join("; ")
        };
        assert_eq!(said(Outcome::PostFailed, How::PostFailed), "");
        assert!(said(Outcome::PostFailed, How::Returned).contains("holds on the JVM, and not in the trace"));
        assert!(said(Outcome::Returned, How::PostFailed).contains("does not hold on the JVM"));
        assert!(said(Outcome::PostFailed, How::Threw).contains("the JVM throws"));
    }

    #[test]
    fn exceptions_have_their_places_and_messages() {
        let thrown = |class: &str, message: &str| {
            let field = ("java/lang/Throwable".to_string(), "detailMessage".to_string(), Seen::Node(1));
            vec![
                Node::Object { class: class.into(), fields: vec![field] },
                Node::Text(message.encode_utf16().collect()),
            ]
        };
        let place = |line: u32| Some(Place { class: "A".into(), method: "f".into(), line: Some(line) });
        let said = |class: &str, message: &str, line: u32| {
            let nodes = thrown("E", "m");
            let observed = Observed { thrown: Some(Seen::Node(0)), place: place(3), nodes, ..Observed::default() };
            let answer = Reply::Ended {
                how: How::Threw,
                value: Seen::Node(0),
                place: place(line),
                printed: Vec::new(),
                inputs: Vec::new(),
                nodes: thrown(class, message),
            };
            judged(observed, Outcome::Threw("E".into()), answer).reasons().join("; ")
        };
        assert_eq!(said("E", "m", 3), "");
        assert!(said("F", "m", 3).contains("an object of F on the JVM"));
        assert!(said("E", "n", 3).contains("detailMessage is \"n\""));
        assert!(said("E", "m", 4).contains("at A.f:4, the trace at A.f:3"));
    }
}
