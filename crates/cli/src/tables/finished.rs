//! Rows that are finished, in a file: an interrupted table goes on where it was.
//!
//! A line of JSON a row, after one that says which question they answer. The last line may be damaged, if the process was
//! ended while it wrote: its row is measured again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The first line: rows of another version, or measured otherwise, say nothing here.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub version: String,
    /// The options on which numbers depend.
    pub options: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    table: String,
    row: String,
    measured: Value,
}

#[derive(Default)]
pub struct Finished {
    rows: HashMap<(String, String), Value>,
    file: Option<File>,
}

impl Finished {
    /// Reads what a file has, or begins it. Without a file nothing is kept.
    pub fn open(path: Option<&Path>, question: &Question) -> Result<Finished, String> {
        let Some(path) = path else { return Ok(Finished::default()) };
        let wrong = |what: String| format!("{}: {what}", path.display());
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(wrong(format!("cannot be read: {e}"))),
        };
        let mut options = OpenOptions::new();
        let mut file = options.create(true).write(true).truncate(false).open(path);
        let file = file.as_mut().map_err(|e| wrong(format!("cannot be written: {e}")))?;
        let mut finished =
            Finished { rows: HashMap::new(), file: Some(file.try_clone().map_err(|e| wrong(e.to_string()))?) };
        // What stands behind the last end of a line was not finished.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        match lines.next() {
            None => finished.write(question)?,
            Some(first) => {
                let asked: Question = serde_json::from_str(first)
                    .map_err(|_| wrong("is no file of finished rows: name one that does not exist".into()))?;
                if asked != *question {
                    return Err(wrong(format!("its rows were measured by {} with {}", asked.version, asked.options)));
                }
                file.set_len(whole as u64).map_err(|e| wrong(e.to_string()))?;
                file.seek(SeekFrom::End(0)).map_err(|e| wrong(e.to_string()))?;
            }
        }
        for line in lines {
            let Line { table, row, measured } =
                serde_json::from_str(line).map_err(|e| wrong(format!("a damaged line: {e}")))?;
            finished.rows.insert((table, row), measured);
        }
        Ok(finished)
    }

    /// What was measured before.
    pub fn row<T: DeserializeOwned>(&self, table: &str, row: &str) -> Option<T> {
        let measured = self.rows.get(&(table.to_string(), row.to_string()))?;
        serde_json::from_value(measured.clone()).ok()
    }

    pub fn keep(&mut self, table: &str, row: &str, measured: &impl Serialize) -> Result<(), String> {
        if self.file.is_none() {
            return Ok(());
        }
        let measured = serde_json::to_value(measured).map_err(|e| e.to_string())?;
        self.write(&Line { table: table.into(), row: row.into(), measured })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), String> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let text = serde_json::to_string(line).map_err(|e| e.to_string())? + "\n";
        file.write_all(text.as_bytes()).map_err(|e| format!("the finished row cannot be written: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: &str) -> Question {
        Question { version: "1".into(), options: options.into() }
    }

    #[test]
    fn a_row_is_found_again_and_a_damaged_one_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rows");
        let mut finished = Finished::open(Some(&path), &question("a")).expect("a new file");
        finished.keep("pose", "one", &vec![1_u64, 2]).expect("a row");
        finished.keep("pose", "two", &vec![3_u64]).expect("a row");
        drop(finished);
        let text = std::fs::read_to_string(&path).expect("the file");
        std::fs::write(&path, &text[..text.len() - 4]).expect("a damaged line");
        let mut finished = Finished::open(Some(&path), &question("a")).expect("the same question");
        assert_eq!(finished.row("pose", "one"), Some(vec![1_u64, 2]));
        assert_eq!(finished.row::<Vec<u64>>("pose", "two"), None);
        assert_eq!(finished.row::<Vec<u64>>("hex", "one"), None);
        finished.keep("pose", "two", &vec![3_u64]).expect("the row again");
        drop(finished);
        let finished = Finished::open(Some(&path), &question("a")).expect("the same question");
        assert_eq!(finished.row("pose", "two"), Some(vec![3_u64]));
        assert!(Finished::open(Some(&path), &question("b")).is_err(), "another question");
        std::fs::write(&path, "something else\n").expect("a file");
        assert!(Finished::open(Some(&path), &question("a")).is_err(), "no such file");
    }
}
