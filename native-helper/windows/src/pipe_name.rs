/// `\\.\pipe\lanyard-<user>-<hash of the home>`: FNV-1a, 64 bits, over the home's UTF-16 in lower case. `user` is a SID as
/// text. The home is absolute and in one form: `normal_home` (helper) and `homeOf` (main/domain/paths.ts) see to that.
pub fn pipe_name(user: &str, home: &str) -> String {
    let hash = home
        .to_lowercase()
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!(r"\\.\pipe\lanyard-{user}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::pipe_name;

    #[test]
    fn a_home_has_one_name_however_it_is_capitalised() {
        let name = pipe_name("S-1-5-21-1", r"C:\Users\Ann\AppData\Local\Lanyard");
        assert_eq!(name, pipe_name("S-1-5-21-1", r"c:\users\ANN\appdata\local\lanyard"));
        assert!(name.starts_with(r"\\.\pipe\lanyard-S-1-5-21-1-"));
        assert_ne!(name, pipe_name("S-1-5-21-2", r"C:\Users\Ann\AppData\Local\Lanyard"));
        assert_ne!(name, pipe_name("S-1-5-21-1", r"C:\Users\Ann\AppData\Local\Lanyard2"));
    }

    /// FNV's own test vector for "a" is over bytes; as UTF-16 an "a" is 61 00.
    #[test]
    fn the_hash_is_fnv_1a() {
        // ((offset ^ 0x61) * prime ^ 0x00) * prime, by hand in wider arithmetic.
        let step = |hash: u128, byte: u128| ((hash ^ byte) * 0x100_0000_01b3) & u128::from(u64::MAX);
        let expected = step(step(0xcbf2_9ce4_8422_2325, 0x61), 0);
        assert!(pipe_name("u", "A").ends_with(&format!("-{expected:016x}")));
    }
}
