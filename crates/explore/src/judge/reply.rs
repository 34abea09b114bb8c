//! What the helper says.

use std::io::Read;

use lazuli_engine::observe::{Node, Place, Seen};
use lazuli_engine::vm::Stream;

pub enum Message {
    /// It has started.
    Ready,
    /// It needs the class file of a class of this program.
    Class(u32, String),
    Answer(Box<Reply>),
    /// There is no more, and what was wrong with the last words, if anything.
    Ended(Option<String>),
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Returned,
    Threw,
    /// It returned, and its postcondition does not hold.
    PostFailed,
}

/// What a call came to.
pub enum Reply {
    Ended {
        how: How,
        value: Seen,
        place: Option<Place>,
        printed: Vec<(Stream, String)>,
        inputs: Vec<Seen>,
        nodes: Vec<Node>,
    },
    /// No program can have such an input.
    Impossible(String),
    /// The program did something that the witness does not allow.
    Refused(String),
}

/// The next message.
pub fn read(from: &mut impl Read) -> Message {
    let mut kind = [0];
    if from.read_exact(&mut kind).is_err() {
        return Message::Ended(None);
    }
    let mut from = From(from);
    let message = match kind[0] {
        b'R' => Ok(Message::Ready),
        b'C' => from.class(),
        b'A' => from.reply().map(|reply| Message::Answer(Box::new(reply))),
        other => Err(std::io::Error::other(format!("a message of the kind {other}"))),
    };
    message.unwrap_or_else(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => Message::Ended(None),
        _ => Message::Ended(Some(error.to_string())),
    })
}

type Result<T> = std::io::Result<T>;

/// Texts and lists that are longer are garbage.
const MOST: u32 = 1 << 26;

struct From<'a, R>(&'a mut R);

impl<R: Read> From<'_, R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8> {
        self.bytes().map(|[byte]| byte)
    }

    fn number(&mut self) -> Result<u32> {
        let number = u32::from_be_bytes(self.bytes()?);
        if number > MOST { Err(garbage("a number that is too large")) } else { Ok(number) }
    }

    fn long(&mut self) -> Result<i64> {
        self.bytes().map(i64::from_be_bytes)
    }

    fn long_text(&mut self, length: u32) -> Result<String> {
        let mut bytes = vec![0; length as usize];
        self.0.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn text(&mut self) -> Result<String> {
        let length = u16::from_be_bytes(self.bytes()?);
        self.long_text(u32::from(length))
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| one(self)).collect()
    }

    fn class(&mut self) -> Result<Message> {
        let program = u32::from_be_bytes(self.bytes()?);
        Ok(Message::Class(program, self.text()?))
    }

    fn reply(&mut self) -> Result<Reply> {
        let how = match self.byte()? {
            0 => How::Returned,
            1 => How::Threw,
            2 => return self.text().map(Reply::Impossible),
            3 => return self.text().map(Reply::Refused),
            4 => How::PostFailed,
            other => return Err(garbage(&format!("the outcome {other}"))),
        };
        let value = self.seen()?;
        let place = match self.byte()? {
            0 => None,
            _ => {
                let (class, method) = (self.text()?, self.text()?);
                let line = i32::from_be_bytes(self.bytes()?);
                Some(Place { class, method, line: u32::try_from(line).ok().filter(|line| *line > 0) })
            }
        };
        let printed = self.list(|from| {
            let stream = if from.byte()? == 0 { Stream::Out } else { Stream::Err };
            let length = from.number()?;
            Ok((stream, from.long_text(length)?))
        })?;
        let inputs = self.list(Self::seen)?;
        let mut nodes = Vec::new();
        while self.byte()? == 1 {
            nodes.push(self.node()?);
        }
        Ok(Reply::Ended { how, value, place, printed, inputs, nodes })
    }

    fn seen(&mut self) -> Result<Seen> {
        Ok(match self.byte()? {
            0 => Seen::Null,
            1 => Seen::Node(self.number()? as usize),
            2 => Seen::Number(self.long()?),
            3 => Seen::Unknown("there are too many objects".into()),
            other => return Err(garbage(&format!("the value {other}"))),
        })
    }

    fn node(&mut self) -> Result<Node> {
        Ok(match self.byte()? {
            0 => Node::Text(self.list(|from| from.bytes().map(u16::from_be_bytes))?),
            1 => Node::Boxed { class: self.text()?, value: self.long()? },
            2 => Node::Constant { class: self.text()?, name: self.text()? },
            3 => Node::Class(self.text()?),
            4 => Node::Array { class: self.text()?, elements: self.list(Self::seen)? },
            5 => {
                let class = self.text()?;
                let fields = self.list(|from| Ok((from.text()?, from.text()?, from.seen()?)))?;
                Node::Object { class, fields }
            }
            6 => Node::Opaque { class: Some(self.text()?).filter(|class| !class.is_empty()) },
            other => return Err(garbage(&format!("the object {other}"))),
        })
    }
}

fn garbage(what: &str) -> std::io::Error {
    std::io::Error::other(what.to_string())
}
