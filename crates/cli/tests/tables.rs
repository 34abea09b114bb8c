//! `lazuli tables`: rows that are kept for another run, data and pages.

use std::path::Path;

use crate::common::{lazuli, stderr, stdout};

/// The second run measures nothing: its times are those of the first.
#[test]
fn finished_rows_are_not_measured_again() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    let _ = std::fs::remove_dir_all(&directory);
    let path = |name: &str| directory.join(name).to_str().expect("a plain name").to_string();
    let (pages, data, rows) = (path("pages"), path("data"), path("rows"));
    std::fs::create_dir_all(&directory).expect("a directory");
    let args = ["tables", "figure2", "--cell-time", "50ms", "--html", &pages, "--csv", &data, "--resume", &rows];
    let first = lazuli(&args);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    let kept = std::fs::read_to_string(&rows).expect("the finished rows");
    let csv = std::fs::read_to_string(Path::new(&data).join("figure2.csv")).expect("the data");
    assert_eq!(csv.lines().count(), 9, "{csv}");
    assert!(csv.starts_with("calls,lazy,lazier#,SH,POSE,"), "{csv}");
    assert!(stdout(&first).starts_with(&format!("lazuli {} on ", env!("CARGO_PKG_VERSION"))), "{}", stdout(&first));
    let page = std::fs::read_to_string(Path::new(&pages).join("figure2.html")).expect("a page");
    assert!(page.contains("<svg class=\"curves\"") && page.contains("<th>POSE ms</th>"), "{page}");
    assert!(Path::new(&pages).join("index.html").is_file());

    let second = lazuli(&args);
    assert_eq!(stdout(&second), stdout(&first));
    assert_eq!(std::fs::read_to_string(&rows).expect("the finished rows"), kept);

    let other = lazuli(&["tables", "figure2", "--cell-time", "60ms", "--resume", &rows]);
    assert_eq!(other.status.code(), Some(2), "another question: {}", stdout(&other));
    assert!(stderr(&other).contains("cell time 50 ms"), "{}", stderr(&other));
}
