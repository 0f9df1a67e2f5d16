//! The state of a question that the client carries: signed, for one call, for a while, and once.

use crate::call::hex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What every state of ours starts with.
pub(super) const PREFIX: &str = "tool-policy:";
/// So many questions may be open; the oldest gives way.
const OPEN: usize = 4096;
/// An answer that comes this much later is told that it was late.
const REMEMBERED: Duration = Duration::from_mins(10);

/// Signs states and takes them back.
#[derive(Debug)]
pub(super) struct Signer {
    key: [u8; 32],
    issued: HashMap<[u8; 16], Instant>,
}

/// What came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    /// Ours, for this call, in time, and for the first time.
    Good,
    /// Ours and for this call, but too late.
    Late,
    /// Anything else.
    Bad,
}

impl Signer {
    /// A signer with a key that nobody else has.
    ///
    /// # Errors
    ///
    /// When the system gives no random numbers.
    pub(super) fn new() -> Result<Self, getrandom::Error> {
        Ok(Self { key: random()?, issued: HashMap::new() })
    }

    /// A state for the call that `call` is the digest of.
    pub(super) fn issue(
        &mut self,
        call: &str,
        now: Instant,
        valid: Duration,
    ) -> Result<String, getrandom::Error> {
        let nonce: [u8; 16] = random()?;
        self.issued.retain(|_, until| now < *until + REMEMBERED);
        if self.issued.len() >= OPEN
            && let Some(oldest) = self.issued.iter().min_by_key(|(_, until)| **until).map(|(nonce, _)| *nonce)
        {
            self.issued.remove(&oldest);
        }
        let Some(until) = now.checked_add(valid) else { return Err(getrandom::Error::UNEXPECTED) };
        self.issued.insert(nonce, until);
        let tag = self.mac(&nonce, call).finalize().into_bytes();
        Ok(format!("{PREFIX}{}.{}", hex(&nonce), hex(&tag)))
    }

    /// Takes a state back, which uses it up.
    pub(super) fn redeem(&mut self, state: &str, call: &str, now: Instant) -> Back {
        self.redeemed(state, call, now).unwrap_or(Back::Bad)
    }

    fn redeemed(&mut self, state: &str, call: &str, now: Instant) -> Option<Back> {
        let (nonce, tag) = state.strip_prefix(PREFIX)?.split_once('.')?;
        let nonce: [u8; 16] = unhex(nonce)?.try_into().ok()?;
        self.mac(&nonce, call).verify_slice(&unhex(tag)?).ok()?;
        let until = self.issued.remove(&nonce)?;
        Some(if now < until { Back::Good } else { Back::Late })
    }

    fn mac(&self, nonce: &[u8; 16], call: &str) -> Hmac<Sha256> {
        // A key of any length is taken.
        let mut mac = Hmac::<Sha256>::new(&self.key.into_block());
        mac.update(nonce);
        mac.update(call.as_bytes());
        mac
    }
}

/// A key in the form that the hash works on: filled up with zeros, as HMAC says.
trait IntoBlock {
    fn into_block(self) -> hmac::digest::Key<Hmac<Sha256>>;
}

impl IntoBlock for [u8; 32] {
    fn into_block(self) -> hmac::digest::Key<Hmac<Sha256>> {
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        for (to, from) in block.iter_mut().zip(self) {
            *to = from;
        }
        block
    }
}

/// Random bytes.
pub(super) fn random<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.bytes().map(|byte| char::from(byte).to_digit(16)).collect::<Option<Vec<u32>>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| u8::try_from(high * 16 + low).ok()).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_mins(1);

    #[test]
    fn a_state_is_good_once_for_its_call_and_in_time() {
        let now = Instant::now();
        let mut signer = Signer::new().unwrap();
        let state = signer.issue("wipe /x", now, MINUTE).unwrap();
        assert_eq!(signer.redeem(&state, "wipe /y", now), Back::Bad);
        assert_eq!(signer.redeem(&state, "wipe /x", now), Back::Good);
        assert_eq!(signer.redeem(&state, "wipe /x", now), Back::Bad);
        let state = signer.issue("wipe /x", now, MINUTE).unwrap();
        assert_eq!(signer.redeem(&state, "wipe /x", now + MINUTE), Back::Late);
    }

    #[test]
    fn what_was_touched_or_is_of_another_process_is_bad() {
        let now = Instant::now();
        let mut signer = Signer::new().unwrap();
        let state = signer.issue("c", now, MINUTE).unwrap();
        let other = Signer::new().unwrap().issue("c", now, MINUTE).unwrap();
        let (start, tag) = state.split_once('.').unwrap();
        for bad in [
            other.as_str(),
            "",
            PREFIX,
            start,
            tag,
            &format!("{start}."),
            &format!("{start}.{}", &tag[1..]),
            &format!("{start}.é{tag}"),
            &state[1..],
        ] {
            assert_eq!(signer.redeem(bad, "c", now), Back::Bad, "{bad}");
        }
        assert_eq!(signer.redeem(&state, "c", now), Back::Good);
    }

    #[test]
    fn open_questions_are_bounded() {
        let now = Instant::now();
        let mut signer = Signer::new().unwrap();
        let first = signer.issue("c", now, MINUTE).unwrap();
        for n in 0..OPEN {
            let _ = signer.issue("c", now + Duration::from_millis(n as u64 + 1), MINUTE);
        }
        assert_eq!(signer.issued.len(), OPEN);
        assert_eq!(signer.redeem(&first, "c", now), Back::Bad);
        let _ = signer.issue("c", now + 20 * MINUTE, MINUTE);
        assert_eq!(signer.issued.len(), 1);
    }

    #[test]
    fn the_signature_is_hmac_sha256() {
        // RFC 4231, test case 2, with the key in the first bytes of the block.
        let mut key = [0; 32];
        key[..4].copy_from_slice(b"Jefe");
        let mut mac = Hmac::<Sha256>::new(&key.into_block());
        mac.update(b"what do ya want for nothing?");
        assert_eq!(
            hex(&mac.finalize().into_bytes()),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
