package dev.tidemark.key;

/**
 * Escapes the bytes of a text so that none of them equals its end, {@link #END}. A byte up to {@link #MARK} is written
 * as the mark, followed by the byte plus {@link #SHIFT}.
 */
final class Escape {
    static final int END = 0x00;
    static final int MARK = 0x01;
    static final int SHIFT = 0x01;

    private Escape() {}
}
