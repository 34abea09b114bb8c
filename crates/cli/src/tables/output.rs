//! Where tables go: to the terminal and into files of comma-separated values, row by row as they are finished, and onto
//! pages, when all is done.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::Ended;

/// What a page shows, in its order.
enum Part {
    Table { title: String, header: Vec<String>, rows: Vec<Vec<String>> },
    Text(String),
    Figure(String),
}

struct Page {
    name: &'static str,
    title: &'static str,
    parts: Vec<Part>,
}

/// A table that is being written.
pub struct Sheet {
    widths: Vec<usize>,
    csv: Option<File>,
    header: Vec<String>,
    title: String,
    rows: Vec<Vec<String>>,
}

pub struct Output {
    csv: Option<PathBuf>,
    html: Option<PathBuf>,
    pages: Vec<Page>,
}

impl Output {
    pub fn new(csv: Option<&Path>, html: Option<&Path>) -> Result<Output, String> {
        for directory in [csv, html].into_iter().flatten() {
            std::fs::create_dir_all(directory).map_err(|e| format!("cannot create {}: {e}", directory.display()))?;
        }
        println!("{}", machine());
        Ok(Output { csv: csv.map(Path::to_path_buf), html: html.map(Path::to_path_buf), pages: Vec::new() })
    }

    /// A document begins; `name` is that of its page.
    pub fn document(&mut self, name: &'static str, title: &'static str) {
        println!("\n{title}");
        self.pages.push(Page { name, title, parts: Vec::new() });
    }

    /// A table begins. Its columns are as wide as their heads, and as `widths` says: rows that are not known yet have to fit.
    pub fn begin(&mut self, name: &str, title: &str, header: &[&str], widths: &[usize]) -> Result<Sheet, String> {
        let header: Vec<String> = header.iter().map(|head| head.to_string()).collect();
        let widest = |(i, head): (usize, &String)| head.chars().count().max(widths.get(i).copied().unwrap_or(0));
        let widths = header.iter().enumerate().map(widest).collect();
        let csv = match &self.csv {
            None => None,
            Some(directory) => {
                let path = directory.join(format!("{name}.csv"));
                Some(File::create(&path).map_err(|e| format!("cannot write {}: {e}", path.display()))?)
            }
        };
        let mut sheet = Sheet { widths, csv, header, title: title.into(), rows: Vec::new() };
        println!("\n{title}\n");
        let header = sheet.header.clone();
        sheet.line(&header)?;
        Ok(sheet)
    }

    pub fn end(&mut self, sheet: Sheet) {
        let Sheet { title, header, rows, .. } = sheet;
        self.part(Part::Table { title, header, rows });
    }

    /// A whole table at once.
    pub fn table(&mut self, name: &str, title: &str, header: &[&str], rows: Vec<Vec<String>>) -> Result<(), String> {
        let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let mut sheet = self.begin(name, title, header, &widths)?;
        for row in rows {
            sheet.row(row)?;
        }
        self.end(sheet);
        Ok(())
    }

    pub fn text(&mut self, text: &str) {
        if !text.is_empty() {
            println!("{}", text.trim_end_matches('\n'));
            self.part(Part::Text(text.into()));
        }
    }

    /// A picture, and what the terminal shows in its place.
    pub fn figure(&mut self, svg: String, text: &str) {
        if !text.is_empty() {
            println!("{}", text.trim_end_matches('\n'));
        }
        self.part(Part::Figure(svg));
    }

    fn part(&mut self, part: Part) {
        let page = self.pages.last_mut().expect("a document has begun");
        page.parts.push(part);
    }

    /// Writes the pages, and one that leads to them.
    pub fn finish(&self, ended: Ended) -> Result<(), String> {
        let Some(directory) = &self.html else { return Ok(()) };
        let write = |name: &str, text: String| {
            let path = directory.join(name);
            std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
        };
        let mut index = String::from("<h1>The evaluation of the documents, ours beside theirs</h1>\n<ul>\n");
        for page in &self.pages {
            write(&format!("{}.html", page.name), framed(page.title, &page.body()))?;
            let _ = writeln!(index, "<li><a href=\"{}.html\">{}</a></li>", page.name, escaped(page.title));
        }
        index += "</ul>\n";
        if ended == Ended::Interrupted {
            index += "<p>Interrupted: not everything is here.</p>\n";
        }
        write("index.html", framed("The evaluation", &index))?;
        println!("\npages: {}", directory.join("index.html").display());
        Ok(())
    }
}

impl Sheet {
    pub fn row(&mut self, row: Vec<String>) -> Result<(), String> {
        self.line(&row)?;
        self.rows.push(row);
        Ok(())
    }

    fn line(&mut self, cells: &[String]) -> Result<(), String> {
        let mut line = String::new();
        for (i, (cell, width)) in cells.iter().zip(&self.widths).enumerate() {
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            line += &if i == 0 { format!("{cell}{pad}") } else { format!("  {pad}{cell}") };
        }
        println!("{}", line.trim_end());
        let Some(csv) = &mut self.csv else { return Ok(()) };
        let values: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        writeln!(csv, "{}", values.join(",")).map_err(|e| format!("comma-separated values cannot be written: {e}"))
    }
}

/// A value as RFC 4180 wants it.
fn quoted(value: &str) -> String {
    match value.contains([',', '"', '\n']) {
        true => format!("\"{}\"", value.replace('"', "\"\"")),
        false => value.into(),
    }
}

impl Page {
    fn body(&self) -> String {
        let mut out = format!("<p><a href=\"index.html\">The evaluation</a></p>\n<h1>{}</h1>\n", escaped(self.title));
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let _ = writeln!(out, "<pre>{}</pre>", escaped(text));
                }
                Part::Figure(svg) => out += svg,
                Part::Table { title, header, rows } => {
                    let _ = writeln!(out, "<h2>{}</h2>\n<div class=\"wide\"><table>", escaped(title));
                    let cells = |row: &[String], tag: &str| -> String {
                        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
                    };
                    let _ = writeln!(out, "<thead><tr>{}</tr></thead><tbody>", cells(header, "th"));
                    for row in rows {
                        let _ = writeln!(out, "<tr>{}</tr>", cells(row, "td"));
                    }
                    out += "</tbody></table></div>\n";
                }
            }
        }
        out
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn framed(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"viewport\" content=\"width=device-width\">\n\
         <style>{STYLE}</style></head>\n<body>\n{body}<footer>{}</footer>\n</body></html>\n",
        escaped(title),
        escaped(&machine())
    )
}

const STYLE: &str = "\
body{font:15px/1.45 Helvetica,Arial,sans-serif;margin:2em auto;max-width:75em;padding:0 1.5em;color:#1f2933;background:#fff}\
h1{font-size:1.5em}h2{font-size:1.1em;margin-top:2em}a{color:#0b69a3}\
pre{font-size:13px;line-height:1.4;white-space:pre-wrap;border-left:3px solid #cbd2d9;padding-left:1em}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\
th,td{padding:.25em .7em;text-align:right;border-bottom:1px solid #e4e7eb;white-space:nowrap}\
th{border-bottom:2px solid #9aa5b1}th:first-child,td:first-child{text-align:left}tbody tr:hover{background:#f5f7fa}\
svg{display:block;max-width:100%;margin:1.2em 0}footer{margin-top:3em;color:#7b8794;font-size:13px}\
@media (prefers-color-scheme:dark){body{color:#e4e7eb;background:#161b22}a{color:#5ed0fa}pre{border-color:#3e4c59}\
th,td{border-color:#323f4b}tbody tr:hover{background:#1f2933}}";

/// What measured, and when: times mean nothing without.
pub fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    let (year, month, day) = date(days as i64);
    format!(
        "lazuli {} on {processors} × {}, {} · {year}-{month:02}-{day:02}",
        env!("CARGO_PKG_VERSION"),
        model.unwrap_or("an unknown processor").trim(),
        std::env::consts::OS
    )
}

/// The day of the Gregorian calendar, so many days after 1970-01-01. Years begin in March, so that the leap day is their last.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(-1), (1969, 12, 31));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_775), (2026, 11, 18));
    }

    #[test]
    fn values_with_commas_are_quoted() {
        assert_eq!(quoted("1,656 / 25"), "\"1,656 / 25\"");
        assert_eq!(quoted("say \"no\""), "\"say \"\"no\"\"\"");
        assert_eq!(quoted("plain"), "plain");
    }
}
