//! A hash table of the parts of names, and the hashes.

/// Bits of a table's filter for each slot; there are at least two slots for each hash.
const FILTER_BITS: usize = 8;

/// A set of lengths in bytes, none of them zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    longest: usize,
    words: Vec<u64>,
}

impl Lengths {
    pub(super) fn set(&mut self, len: usize) {
        let word = len / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << (len % 64);
        }
        self.longest = self.longest.max(len);
    }

    fn has(&self, len: usize) -> bool {
        self.words.get(len / 64).is_some_and(|word| word >> (len % 64) & 1 == 1)
    }
}

/// A hash table from the hash of a part to the numbers of the globs filed under it. It is never more than
/// half full.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// One bit for each hash, most of them unset: what is not filed is seen without a branch that is hard to
    /// predict.
    filter: Box<[u64]>,
    /// A power of two of slots, or none.
    slots: Box<[Slot]>,
    /// The numbers, those of one hash side by side.
    numbers: Box<[u32]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The upper half of the hash: a filter only, every glob found is tried.
    tag: u32,
    start: u32,
    /// How many numbers; a slot with none is empty.
    count: u32,
}

impl Table {
    pub(super) fn new(mut filed: Vec<(u64, u32)>) -> Self {
        if filed.is_empty() {
            return Self::default();
        }
        filed.sort_unstable();
        let groups = filed.chunk_by(|a, b| a.0 == b.0);
        let room = (groups.clone().count() * 2).next_power_of_two();
        let mut slots = vec![Slot::default(); room].into_boxed_slice();
        let mut filter = vec![0; room.div_ceil(64 / FILTER_BITS)].into_boxed_slice();
        let mut start = 0;
        for group in groups {
            let hash = group.first().map_or(0, |(hash, _)| *hash);
            let count = u32::try_from(group.len()).unwrap_or(u32::MAX);
            let slot = Slot { tag: tag(hash), start, count };
            start = start.saturating_add(count);
            let (word, bit) = filter_bit(hash, filter.len());
            if let Some(word) = filter.get_mut(word) {
                *word |= bit;
            }
            let free = probe(hash, room).find(|&at| slots.get(at).is_some_and(|slot| slot.count == 0));
            if let Some(free) = free.and_then(|at| slots.get_mut(at)) {
                *free = slot;
            }
        }
        Self { filter, slots, numbers: filed.into_iter().map(|(_, number)| number).collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    #[inline]
    pub(super) fn each(&self, hash: u64, found: &mut impl FnMut(u32)) {
        if self.may_hold(hash) {
            self.find(hash, found);
        }
    }

    #[inline]
    pub(super) fn may_hold(&self, hash: u64) -> bool {
        let (word, bit) = filter_bit(hash, self.filter.len());
        self.filter.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(super) fn find(&self, hash: u64, found: &mut impl FnMut(u32)) {
        for at in probe(hash, self.slots.len()) {
            let Some(slot) = self.slots.get(at).filter(|slot| slot.count > 0) else { return };
            // Two hashes may share a tag, so the walk goes on to the empty slot.
            if slot.tag == tag(hash) {
                let numbers = self.numbers.iter().skip(slot.start as usize).take(slot.count as usize);
                numbers.for_each(|&number| found(number));
            }
        }
    }
}

/// The slots to look at for `hash`, in order, each once.
fn probe(hash: u64, slots: usize) -> impl Iterator<Item = usize> {
    let mask = slots.wrapping_sub(1);
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are all that the mask keeps")]
    let start = (hash ^ (hash >> 29)) as usize;
    (0..slots).map(move |step| start.wrapping_add(step) & mask)
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// The word of a filter of `words` words, a power of two, and the bit in it.
fn filter_bit(hash: u64, words: usize) -> (usize, u64) {
    let word = (hash >> 20) as usize & words.wrapping_sub(1);
    (word, 1 << (hash >> 58))
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The order of FNV-1a with a denser factor: one pass hashes every prefix.
pub(super) fn step(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(FACTOR)
}

pub(super) fn prefix_hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.map(u64::from).fold(SEED, step)
}

/// The hash of each of the first bytes whose number is in `lengths`.
#[inline]
pub(super) fn rolling<'a>(
    bytes: impl Iterator<Item = &'a u8>,
    lengths: &Lengths,
    mut found: impl FnMut(u64),
) {
    let mut hash = SEED;
    for (len, &byte) in (1..=lengths.longest).zip(bytes) {
        hash = step(hash, u64::from(byte));
        if lengths.has(len) {
            found(hash);
        }
    }
}

/// The hash of a whole name, eight bytes at a time.
pub(super) fn whole_hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().map(|word| u64::from_le_bytes(*word)).fold(
        step(SEED, bytes.len() as u64),
        |hash, word| {
            let hash = step(hash, word);
            hash ^ (hash >> 32)
        },
    );
    let last = step(hash, rest.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)));
    last ^ (last >> 32)
}

/// The hash of each run of `size` bytes, at most eight.
#[inline]
pub(super) fn windows(bytes: &[u8], size: usize, mut found: impl FnMut(u64)) {
    let mask = u64::MAX >> (64 - 8 * size);
    let mut number = 0;
    for (seen, &byte) in (1..).zip(bytes) {
        number = (number << 8 | u64::from(byte)) & mask;
        if seen >= size {
            let mixed = (number ^ SEED).wrapping_mul(FACTOR);
            found(mixed ^ (mixed >> 32));
        }
    }
}
