//! Several methods at a time, and what they came to in their order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use lazuli::Control;

/// How often somebody looks whether the user has had enough.
const LOOK: Duration = Duration::from_millis(50);

/// Does the work of all numbers below `number`, `jobs` of them at a time, and tells what each came to, in their order. Each has a control of its
/// own; all are interrupted when `all` is, and what has not begun then comes to nothing: `None` is told of it.
pub fn in_order<R: Send>(
    number: usize,
    jobs: usize,
    all: &Control,
    work: impl Fn(usize, &Control) -> R + Sync,
    mut tell: impl FnMut(usize, Option<R>),
) {
    let controls: Vec<Control> = (0..number).map(|_| Control::default()).collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, number.max(1)) {
            let (sender, next, controls, work) = (sender.clone(), &next, &controls, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(control) = controls.get(index) else { return };
                    let done = (!all.is_interrupted()).then(|| work(index, control));
                    if sender.send((index, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let (mut waiting, mut told) = (BTreeMap::new(), 0);
        loop {
            match receiver.recv_timeout(LOOK) {
                Ok((index, result)) => _ = waiting.insert(index, result),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Some(result) = waiting.remove(&told) {
                tell(told, result);
                told += 1;
            }
            if all.is_interrupted() {
                controls.iter().for_each(|control| control.interrupted.store(true, Ordering::Relaxed));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_their_order_whatever_the_number_of_jobs() {
        for jobs in [1, 2, 5, 40] {
            let mut told = Vec::new();
            let slow_at_first = |index: usize, _: &Control| {
                std::thread::sleep(Duration::from_millis(20 - index as u64));
                index
            };
            in_order(20, jobs, &Control::default(), slow_at_first, |number, index| {
                assert_eq!(Some(number), index);
                told.push(number);
            });
            assert_eq!(told, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_interruption_reaches_everybody_and_nothing_begins_after_it() {
        let all = Control::default();
        let begun = AtomicUsize::new(0);
        let wait = |_: usize, control: &Control| {
            begun.fetch_add(1, Ordering::Relaxed);
            all.interrupted.store(true, Ordering::Relaxed);
            while !control.is_interrupted() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let (mut told, mut done) = (0, 0);
        in_order(500, 2, &all, wait, |_, result| {
            told += 1;
            done += result.is_some() as usize;
        });
        assert_eq!((told, done), (500, begun.load(Ordering::Relaxed)));
        assert!((1..=2).contains(&done), "{done}");
    }
}
