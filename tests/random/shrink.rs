//! Shrinking: leave out statements, and take one side of a branch, as long as the difference remains.

use super::generate::{Sketch, Statement};

/// The smallest program that shrinking finds for which `fails` still holds.
pub fn shrink(sketch: &Sketch, mut fails: impl FnMut(&Sketch) -> bool) -> Sketch {
    let mut smallest = sketch.clone();
    'smaller: loop {
        for statements in simpler(&smallest.statements) {
            let mut candidate = smallest.clone();
            candidate.statements = statements;
            if fails(&candidate) {
                smallest = candidate;
                continue 'smaller;
            }
        }
        return smallest;
    }
}

/// Every list that is one step simpler.
fn simpler(statements: &[Statement]) -> Vec<Vec<Statement>> {
    let mut all = Vec::new();
    for (i, statement) in statements.iter().enumerate() {
        let with = |replacement: Vec<Statement>| {
            let mut list = statements[..i].to_vec();
            list.extend(replacement);
            list.extend_from_slice(&statements[i + 1..]);
            list
        };
        match statement {
            Statement::Let { variable, .. } => {
                let mut rest = with(Vec::new());
                forget(&mut rest, vec![variable.clone()]);
                all.push(rest);
            }
            Statement::Do { .. } => all.push(with(Vec::new())),
            Statement::If { condition, uses, then, otherwise } => {
                all.extend([with(Vec::new()), with(then.clone()), with(otherwise.clone())]);
                let rebuilt = |then: Vec<Statement>, otherwise: Vec<Statement>| {
                    let (condition, uses) = (condition.clone(), uses.clone());
                    with(vec![Statement::If { condition, uses, then, otherwise }])
                };
                all.extend(simpler(then).into_iter().map(|then| rebuilt(then, otherwise.clone())));
                all.extend(simpler(otherwise).into_iter().map(|otherwise| rebuilt(then.clone(), otherwise)));
            }
        }
    }
    all
}

/// Leaves out what uses variables that are no longer there, and what uses that.
fn forget(statements: &mut Vec<Statement>, mut gone: Vec<String>) {
    statements.retain_mut(|statement| match statement {
        Statement::Let { variable, uses, .. } => {
            let keep = !uses.iter().any(|u| gone.contains(u));
            if !keep {
                gone.push(variable.clone());
            }
            keep
        }
        Statement::Do { uses, .. } => !uses.iter().any(|u| gone.contains(u)),
        Statement::If { uses, then, otherwise, .. } => {
            forget(then, gone.clone());
            forget(otherwise, gone.clone());
            !uses.iter().any(|u| gone.contains(u))
        }
    });
}
