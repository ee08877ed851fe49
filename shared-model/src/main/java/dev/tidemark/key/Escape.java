package dev.tidemark.key;

/**
 * How a text's own bytes are told from its end: the end is {@link #END}, and a byte of the text up to {@link #MARK} is
 * written as the mark and that byte plus {@link #SHIFT}.
 */
final class Escape {
    static final int END = 0x00;
    static final int MARK = 0x01;
    static final int SHIFT = 0x01;

    private Escape() {}
}
