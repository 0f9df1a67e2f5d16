//! The same rules on names, decided by this engine and by others.

mod engines;

use engines::{Engine, Ours};
use tool_policy::{Format, Policy};
use tool_policy_benches::policies::{Shape, denies, json, stranger, toml, yaml};
use tool_policy_benches::{Table, holds, once, per_item, shown, times};

const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// More than this for one decision, and fewer rounds are measured.
const SLOW: f64 = 1e-3;

/// One figure for each size.
type Row = [f64; SIZES.len()];

fn main() {
    println!("## Rules on names, beside other engines\n");
    let own = peers();
    shapes();
    loading();
    holds("a decision over 100 rules", own.decision, 0.5e-6, shown);
    holds("10,000 rules to 100", own.growth, 2.0, times);
    println!(
        "- {} the fastest peer at 100 rules takes {} of ours (at least 50 ×)",
        if own.ahead >= 50.0 { "reached:" } else { "**not reached**:" },
        times(own.ahead)
    );
}

struct Own {
    decision: f64,
    growth: f64,
    ahead: f64,
}

fn peers() -> Own {
    let (mut decisions, mut loads): (Vec<(&str, Row)>, Vec<(&str, Row)>) = (Vec::new(), Vec::new());
    for (name, load) in engines::ALL {
        let (mut decision, mut loaded) = ([f64::NAN; SIZES.len()], [f64::NAN; SIZES.len()]);
        for (at, rules) in SIZES.into_iter().enumerate() {
            let Some(mut engine) = load(rules) else { continue };
            if let Err(why) = agrees(&mut *engine, rules) {
                eprintln!("{name} at {rules} rules: {why}; left out");
                continue;
            }
            decision[at] = worst_case(&mut *engine, rules);
            drop(engine);
            loaded[at] = once_slow(|| load(rules).map(drop));
            eprintln!("{name} at {rules} rules: {} ({} to load)", shown(decision[at]), shown(loaded[at]));
        }
        decisions.push((name, decision));
        loads.push((name, loaded));
    }
    let headings =
        ["engine, formulation", "10 rules", "100 rules", "1,000 rules", "10,000 rules", "100 → 10,000"];
    let growth = |row: &Row| row[3] / row[1];
    let print = |rows: &[(&str, Row)], heading: &str| {
        let mut table = Table::new(&headings);
        for (name, row) in rows {
            table.row(
                [(*name).to_owned()]
                    .into_iter()
                    .chain(row.iter().map(|s| shown(*s)))
                    .chain([times(growth(row))]),
            );
        }
        table.print(heading);
    };
    print(&decisions, "A decision: only the last rule matches, every name is new (prefix globs)");
    let mut table = Table::new(&headings[..5]);
    let (_, ours) = decisions[0];
    for (name, row) in &decisions[1..] {
        table.row(
            [(*name).to_owned()]
                .into_iter()
                .chain(row.iter().zip(ours).map(|(theirs, own)| times(theirs / own))),
        );
    }
    table.print("The same, as a multiple of ours");
    print(&loads, "Loading the rules from text");
    let fastest =
        decisions[1..].iter().map(|(_, row)| row[1]).filter(|s| !s.is_nan()).fold(f64::INFINITY, f64::min);
    Own { decision: ours[1], growth: growth(&ours), ahead: fastest / ours[1] }
}

/// Whether the engine decides as the rules say, over calls that match a denial, an allow, and nothing.
fn agrees(engine: &mut dyn Engine, rules: usize) -> Result<(), String> {
    let some = (0..rules).step_by((rules / 20).max(1)).chain([rules / 2 - 1, rules / 2, rules - 1]);
    for rule in some {
        let name = Shape::Prefix.name(rule, rule);
        let (answer, right) = (engine.allows(&name), !denies(rule, rules));
        if answer != Some(right) {
            return Err(format!("`{name}` gives {answer:?}, not {right}"));
        }
    }
    for name in [stranger(1), "svc".to_owned(), String::new(), Shape::Prefix.name(rules, 0)] {
        let answer = engine.allows(&name);
        if answer != Some(false) {
            return Err(format!("`{name}`, of which no rule speaks, gives {answer:?}"));
        }
    }
    Ok(())
}

fn worst_case(engine: &mut dyn Engine, rules: usize) -> f64 {
    let mut fresh = 0;
    let mut names = |count: usize| -> Vec<String> {
        (0..count)
            .map(|_| {
                fresh += 1;
                Shape::Prefix.name(rules - 1, fresh)
            })
            .collect()
    };
    let guess = engine.measure(&names(3));
    let count = if guess > SLOW { 2 } else { (SLOW / guess).clamp(2.0, 4096.0) as usize };
    let mut rounds: Vec<f64> =
        (0..if guess > 50.0 * SLOW { 3 } else { 41 }).map(|_| engine.measure(&names(count))).collect();
    tool_policy_benches::median(&mut rounds)
}

/// As [`once`], and three times only where it takes long.
fn once_slow<R>(mut work: impl FnMut() -> R) -> f64 {
    let start = tool_policy_benches::Clock::now();
    std::hint::black_box(work());
    let guess = start.elapsed().as_secs_f64();
    if guess < 0.02 {
        return once(work);
    }
    let mut rounds: Vec<f64> = (0..3)
        .map(|_| {
            let start = tool_policy_benches::Clock::now();
            std::hint::black_box(work());
            start.elapsed().as_secs_f64()
        })
        .collect();
    tool_policy_benches::median(&mut rounds)
}

/// Ours alone, by the shape of the names.
fn shapes() {
    let mut table = Table::new(&[
        "names",
        "10 rules",
        "100 rules",
        "1,000 rules",
        "10,000 rules",
        "100 → 10,000",
        "10,000 rules, none matches",
    ]);
    for shape in Shape::ALL {
        let mut row = Vec::new();
        let mut none = f64::NAN;
        for rules in SIZES {
            let ours = Ours::load(&toml(rules, shape)).expect("it loads");
            let mut fresh = 0;
            let mut calls = |of: &dyn Fn(usize) -> String| -> Vec<_> {
                (0..2048)
                    .map(|_| {
                        fresh += 1;
                        Ours::call(&of(fresh))
                    })
                    .collect()
            };
            let last = |fresh: usize| shape.name(rules - 1, fresh);
            assert!(ours.judge(&calls(&last)[0]).is_allowed());
            row.push(per_item(|| calls(&last), |call| ours.judge(call)));
            assert!(!ours.judge(&calls(&stranger)[0]).is_allowed());
            none = per_item(|| calls(&stranger), |call| ours.judge(call));
        }
        let growth = row[3] / row[1];
        let glob = if shape == Shape::Mixed {
            "all of these in turn".to_owned()
        } else {
            format!("`{}`", shape.glob(42))
        };
        table.row([glob].into_iter().chain(row.into_iter().map(shown)).chain([times(growth), shown(none)]));
    }
    table.print("Ours, by the shape of the names (the last rule matches)");
}

/// Ours alone, by format.
fn loading() {
    let mut table =
        Table::new(&["format", "10 rules", "100 rules", "1,000 rules", "10,000 rules", "a rule, at 10,000"]);
    let mut slowest = 0.0_f64;
    type Write = fn(usize, Shape) -> String;
    for (name, format, write) in
        [("TOML", Format::Toml, toml as Write), ("YAML", Format::Yaml, yaml), ("JSON", Format::Json, json)]
    {
        let row = SIZES.map(|rules| {
            let text = write(rules, Shape::Mixed);
            once_slow(|| Policy::parse("policy", format, &text).map_or_else(|e| panic!("{e}"), drop))
        });
        slowest = slowest.max(row[2]);
        table.row(
            [name.to_owned()]
                .into_iter()
                .chain(row.iter().map(|s| shown(*s)))
                .chain([shown(row[3] / 10_000.0)]),
        );
    }
    table.print("Ours, loading, by format (mixed names)");
    holds("1,000 rules loaded, the slowest format", slowest, 5e-3, shown);
}
