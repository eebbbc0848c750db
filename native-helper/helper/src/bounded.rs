use zeroize::{Zeroize as _, Zeroizing};

const FIRST_BYTES: usize = 16 * 1024;

/// What a program wrote to stdout: most likely a credential. Wiped when dropped.
pub struct Bounded {
    pub bytes: Zeroizing<Vec<u8>>,
    most: usize,
}

impl Bounded {
    pub fn new(most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Bounded { bytes: Zeroizing::new(Vec::with_capacity(most.min(FIRST_BYTES))), most }
    }

    /// Adds what fits. Returns false if not all of it does.
    pub fn add(&mut self, read: &[u8]) -> bool {
        let piece = read.get(..read.len().min(self.most - self.bytes.len())).unwrap_or_default();
        if self.bytes.capacity() - self.bytes.len() < piece.len() {
            // A buffer that grows automatically leaves a copy of the secret behind.
            let mut larger = Vec::with_capacity(self.bytes.capacity() * 2 + piece.len());
            larger.extend_from_slice(&self.bytes);
            self.bytes.zeroize();
            self.bytes = Zeroizing::new(larger);
        }
        self.bytes.extend_from_slice(piece);
        piece.len() == read.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    #[test]
    fn holds_what_fits_and_says_when_more_came() {
        let mut bounded = Bounded::new(40_000);
        assert!(bounded.add(&[b'a'; 20_000]));
        assert!(bounded.add(&[b'b'; 20_000]));
        assert!(!bounded.add(b"c"));
        assert_eq!(bounded.bytes.len(), 40_000);
        assert_eq!((bounded.bytes[19_999], bounded.bytes[39_999]), (b'a', b'b'));
        let mut small = Bounded::new(3);
        assert!(!small.add(b"abcd"));
        assert_eq!(*small.bytes, b"abc");
    }
}
