//! Lengths of time: `10m`, `30s`, `1h30m`, or a number of seconds.

use std::time::Duration;

use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Spanned;

/// Nobody waits longer for an answer.
const LONGEST: Duration = Duration::from_hours(24);

/// How long to wait.
pub(super) fn duration(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<Duration>> {
    let read = match &node.kind {
        Kind::Str(text) => parse(text),
        Kind::Int(seconds) if *seconds < 0 => Err("it is negative"),
        Kind::Int(seconds) => u64::try_from(*seconds).map(Duration::from_secs).map_err(|_| TOO_LONG),
        Kind::Float(seconds) if *seconds < 0.0 => Err("it is negative"),
        Kind::Float(seconds) => Duration::try_from_secs_f64(*seconds).map_err(|_| TOO_LONG),
        Kind::Null | Kind::Bool(_) | Kind::List(_) | Kind::Map(_) => {
            d.wrong_type(node, "a length of time such as `\"10m\"`");
            return None;
        }
    };
    match read.and_then(within_limits) {
        Ok(duration) => Some(Spanned::new(duration, node.span)),
        Err(problem) => {
            let finding =
                Diagnostic::error(Code::E0208, format!("{} is not a length of time to wait", d.key));
            d.tell(
                finding
                    .at(node.span, problem)
                    .help("write `\"30s\"`, `\"10m\"`, `\"1h30m\"` or a number of seconds"),
            );
            None
        }
    }
}

const TOO_LONG: &str = "it is more than 24 hours";

fn within_limits(duration: Duration) -> Result<Duration, &'static str> {
    match duration {
        Duration::ZERO => Err("it is zero"),
        d if d > LONGEST => Err(TOO_LONG),
        d => Ok(d),
    }
}

fn parse(text: &str) -> Result<Duration, &'static str> {
    let mut rest = text;
    let mut seconds = 0u64;
    for (unit, in_seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, tail) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        let Some(tail) = tail.strip_prefix(unit).filter(|_| !number.is_empty()) else { continue };
        let number: u64 = number.parse().map_err(|_| TOO_LONG)?;
        seconds = number.checked_mul(in_seconds).and_then(|n| n.checked_add(seconds)).ok_or(TOO_LONG)?;
        rest = tail;
    }
    if rest.is_empty() && !text.is_empty() {
        Ok(Duration::from_secs(seconds))
    } else {
        Err("this cannot be read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_hours_minutes_and_seconds_in_order() {
        for (text, seconds) in [
            ("10m", Some(600)),
            ("30s", Some(30)),
            ("1h30m", Some(5400)),
            ("1h1m1s", Some(3661)),
            ("24h", Some(86400)),
            ("0s", None),
            ("24h1s", None),
            ("-5m", None),
            ("5", None),
            ("m", None),
            ("", None),
            ("10 m", None),
            ("30m1h", None),
            ("1m1m", None),
            ("1.5h", None),
            ("99999999999999999999h", None),
            ("9999999999999999999h", None),
        ] {
            let read = parse(text).and_then(within_limits).ok();
            assert_eq!(read, seconds.map(Duration::from_secs), "{text}");
        }
    }
}
