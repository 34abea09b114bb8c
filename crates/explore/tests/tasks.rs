//! Work as data: what a stranger makes of a task is what the run makes of it.

use lazuli::{
    Control, Counts, HeapKind, Options, Part, Source, Task, TraceDetail, TraceRecord, VERSION, Work, explore,
};

/// A run is the fold over its tasks, each sent as text to somebody who has nothing but that text.
#[test]
fn tasks_are_done_by_strangers() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/pose/lazy/avl.pose");
    let (heap, entry) = (HeapKind::Lazy, Some("AvlTree.insertElem".to_string()));
    let options = Options { heap, entry, detail: TraceDetail::Full, ..Options::default() };
    let source = Source::new(program);
    let loaded = source.load().expect("it can be read");
    let config = options.config(&loaded).expect("it can be executed");
    let whole = explore(&loaded, &config, &Control::default()).expect("it runs");
    let mut left = vec![Work::whole()];
    let (mut traces, mut counts, mut tasks) = (Vec::new(), Counts::default(), 0);
    while let Some(work) = left.pop() {
        let task = Task { version: VERSION, program: source.clone(), options: options.clone(), work };
        let text = serde_json::to_string(&task).expect("it can be written");
        let task: Task = serde_json::from_str(&text).expect("it can be read");
        let part = task.run(&Control::default()).expect("it runs");
        let text = serde_json::to_string(&part).expect("it can be written");
        let part: Part<TraceRecord> = serde_json::from_str(&text).expect("it can be read");
        tasks += 1;
        counts.add(&part.counts);
        traces.extend(part.traces.into_iter().map(|trace| (trace.decisions, trace.outcome)));
        // What was handed back last comes first.
        left.extend(part.open);
    }
    assert!(tasks > 3, "it was split");
    assert_eq!((tasks, counts), (whole.tasks, whole.counts));
    let found: Vec<_> = whole.traces.into_iter().map(|trace| (trace.decisions, trace.outcome)).collect();
    assert_eq!(traces, found);
}
