//! Tests of values that no value passes.

use serde_json::{Number, Value};

use super::{Effect, Sink};
use crate::file::{ConditionsFile, ValueTest};
use crate::pattern::name::NameGlob;
use crate::pattern::value::{Operator, ValueCondition};
use crate::pattern::{Reading, Tri};
use crate::rule::Conditions;
use crate::source::Span;

pub(super) fn check(table: &ConditionsFile, compiled: &Conditions, effect: Effect, sink: &mut Sink) {
    for (written, (_, compiled)) in table.args.iter().zip(&compiled.args) {
        one(&written.path.text, &written.test, compiled, effect, sink);
    }
    let preview = &table.confirmation;
    let previews = [&preview.file_name, &preview.file_diff, &preview.title];
    let names = ["file_name", "file_diff", "title"];
    let there = previews.into_iter().zip(names).filter_map(|(test, name)| Some((test.as_ref()?, name)));
    for ((written, name), (_, compiled)) in there.zip(&compiled.confirmation) {
        one(name, written, compiled, effect, sink);
    }
}

fn one(name: &str, written: &ValueTest, compiled: &ValueCondition, effect: Effect, sink: &mut Sink) {
    for (key, span) in empty(written) {
        let finding = effect.finding(format!("`{key}` of `{name}` is an empty list"), span);
        sink.push(finding.help("write what it is compared with, or leave the key out"));
    }
    for glob in written.glob.iter().flat_map(|list| list.iter()) {
        if NameGlob::new(&glob.value).can_match_nothing() {
            let finding = effect.finding(format!("`{}` matches no text", glob.value), glob.span);
            sink.push(finding.help("a range goes from the lower character to the higher, such as `[a-z]`"));
        }
    }
    if let (Some(less), Some(greater)) = (&written.less_than, &written.greater_than)
        && at_most(&less.value, &greater.value)
    {
        let finding = effect.finding(
            format!("no number is less than {} and greater than {}", less.value, greater.value),
            less.span,
        );
        sink.push(finding.also(greater.span, "").help("write the lower number under `greater_than`"));
        return;
    }
    if let Some((span, what)) = refused(written, compiled) {
        let finding = effect.finding(format!("{what} under `{name}` passes the other tests beside it"), span);
        sink.push(finding.help("leave one of the tests out"));
    }
}

fn empty(written: &ValueTest) -> impl Iterator<Item = (&'static str, Span)> {
    let lists = [
        ("one_of", written.one_of.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("glob", written.glob.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("regex", written.regex.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("contains", written.contains.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("starts_with", written.starts_with.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("type", written.type_name.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
    ];
    lists.into_iter().filter_map(|(key, span)| Some((key, span?)))
}

/// Whether `less` is no greater than `greater`; numbers too large to compare exactly are left alone.
fn at_most(less: &Number, greater: &Number) -> bool {
    match (less.as_i128(), greater.as_i128()) {
        (Some(less), Some(greater)) => less <= greater,
        _ => match (less.as_f64(), greater.as_f64()) {
            (Some(less), Some(greater)) => less < greater,
            _ => false,
        },
    }
}

/// The values that are asked for, where each of them fails another test of the table.
fn refused(written: &ValueTest, compiled: &ValueCondition) -> Option<(Span, &'static str)> {
    if compiled.operators().len() < 2 {
        return None;
    }
    let fails = |value: &Value| compiled.matches(Some(value), Reading::Broad) == Tri::No;
    let all_fail = |operator: &Operator| match operator {
        Operator::Equals(value) => fails(value).then_some("no value that is this one"),
        Operator::OneOf(values) => {
            (!values.is_empty() && values.iter().all(fails)).then_some("no value that is one of these")
        }
        Operator::Glob(_)
        | Operator::Regex(_)
        | Operator::Contains(_)
        | Operator::StartsWith(_)
        | Operator::LessThan(_)
        | Operator::GreaterThan(_)
        | Operator::Exists(_)
        | Operator::Type(_) => None,
    };
    let what = compiled.operators().iter().find_map(all_fail)?;
    let span =
        written.equals.as_ref().map(|node| node.span).or(written.one_of.as_ref().map(|list| list.span))?;
    Some((span, what))
}
