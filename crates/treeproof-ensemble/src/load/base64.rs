//! Bytes as text, as in RFC 4648: how a JSON document holds the file of another library.

/// The bytes that a text stands for; none if it is no such text.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let end = text.iter().rposition(|byte| *byte != b'=').map_or(0, |last| last + 1);
    if !text.len().is_multiple_of(4) || text.len() - end > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    for group in text[..end].chunks(4) {
        let mut bits = 0;
        for byte in group {
            bits = bits << 6 | u32::from(digit(*byte)?);
        }
        // Of fewer digits than four, the last bits fill no byte.
        let [_, decoded @ ..] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        bytes.extend(&decoded[..group.len() - 1]);
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn texts_of_the_standard() {
        let texts =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba")];
        for (text, bytes) in texts {
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode("+/+/"), Some(vec![0xfb, 0xff, 0xbf]));
        for text in ["Z", "Zg=", "Zm9v=", "Z===", "====", "Zm 9", "Zm9v\n", "Zg==Zg=="] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
