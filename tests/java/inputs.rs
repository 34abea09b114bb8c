//! Inputs for methods: the interesting values of `inputs.txt`, combined, and pseudo-random ones. The same in every run.

use std::collections::HashMap;

/// Interesting values by the descriptor of their type.
pub struct Inputs {
    values: HashMap<String, Vec<String>>,
    random: u64,
}

impl Inputs {
    pub fn read() -> Inputs {
        let path = format!("{}/inputs.txt", super::SOURCES);
        let text = std::fs::read_to_string(&path).expect("inputs.txt is there");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
        let values = lines.map(|line| {
            let (descriptor, values) = line.split_once(' ').expect("a descriptor, then values");
            (descriptor.to_string(), words(values))
        });
        Inputs { values: values.collect(), random: 0x9E37_79B9_7F4A_7C15 }
    }

    /// Requests for a method: every interesting value of every parameter occurs, up to `most` requests; then some random ones.
    pub fn requests(&mut self, target: &str, most: usize, random: usize) -> Vec<String> {
        let parameters = parameters(target);
        if parameters.is_empty() {
            return vec![target.to_string()];
        }
        let known: Vec<usize> = parameters.iter().map(|ty| self.values_of(ty).len()).collect();
        let all: usize = known.iter().product();
        let count = if parameters.len() == 1 { all } else { most.min(all) };
        let mut requests = Vec::new();
        for number in 0..count {
            let mut line = target.to_string();
            let mut rest = number;
            for (ty, &known) in parameters.iter().zip(&known) {
                // If there is room for all combinations they are counted through; otherwise they are drawn.
                let at = match all <= count {
                    true => rest % known,
                    false if parameters.len() > 1 => self.next() as usize % known,
                    false => number,
                };
                rest /= known;
                line.push(' ');
                line.push_str(&self.values_of(ty)[at]);
            }
            requests.push(line);
        }
        for _ in 0..random {
            let mut line = target.to_string();
            for ty in &parameters {
                line.push(' ');
                let value = self.random(ty);
                line.push_str(&value);
            }
            requests.push(line);
        }
        requests
    }

    fn values_of(&self, ty: &str) -> &[String] {
        self.values.get(ty).unwrap_or_else(|| panic!("inputs.txt has no values of {ty}"))
    }

    /// Xorshift.
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 16
    }

    /// As many significant bits as it happens, so that small numbers are as likely as large ones.
    fn number(&mut self, width: u32) -> i64 {
        let bits = self.next() % width as u64 + 1;
        let value = (self.next() << 32 | self.next() & 0xFFFF_FFFF) as i64;
        value << (64 - bits) >> (64 - bits)
    }

    fn random(&mut self, ty: &str) -> String {
        match ty {
            "B" => self.number(8).to_string(),
            "S" => self.number(16).to_string(),
            "C" => (self.number(16) as u16).to_string(),
            "I" => self.number(32).to_string(),
            "J" => format!("{}L", self.number(64)),
            "F" if self.next().is_multiple_of(2) => format!("f:{:08x}", (self.number(24) as f32 / 8.0).to_bits()),
            "F" => format!("f:{:08x}", self.next() as u32),
            "D" if self.next().is_multiple_of(2) => format!("d:{:016x}", (self.number(40) as f64 / 1000.0).to_bits()),
            "D" => format!("d:{:016x}", self.next() << 32 | self.next() & 0xFFFF_FFFF),
            "Ljava/lang/String;" => {
                let length = self.next() % 7;
                let letters: Vec<char> = "ab01 -,(x".chars().collect();
                let text: String = (0..length).map(|_| letters[self.next() as usize % letters.len()]).collect();
                format!("\"{text}\"")
            }
            "[I" | "[J" | "[B" | "[C" => {
                let length = self.next() % 6;
                let elements: Vec<String> = (0..length).map(|_| self.random(&ty[1..])).collect();
                format!("[{}]", elements.join(","))
            }
            _ => {
                let at = self.next() as usize;
                let values = self.values_of(ty);
                values[at % values.len()].clone()
            }
        }
    }
}

/// The parts of a line between blanks; strings may have blanks in them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for c in line.chars() {
        if c == ' ' && !quoted {
            words.push(String::new());
            continue;
        }
        if c == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = c == '\\' && !escaped;
        words.last_mut().expect("there is one").push(c);
    }
    words
}

/// The descriptors of a target's parameters.
pub fn parameters(target: &str) -> Vec<String> {
    let inside = &target[target.find('(').expect("a descriptor") + 1..target.find(')').expect("a descriptor")];
    let mut found = Vec::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let length = match rest.as_bytes()[dimensions] {
            b'L' => rest.find(';').expect("a class ends with a semicolon") + 1,
            _ => dimensions + 1,
        };
        found.push(rest[..length].to_string());
        rest = &rest[length..];
    }
    found
}
