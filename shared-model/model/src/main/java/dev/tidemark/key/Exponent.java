package dev.tidemark.key;

/** How the exponent of a number is laid out: one byte around {@link #SHORT_ZERO}, or a mark and four bytes. */
final class Exponent {
    static final int SHORT_LIMIT = 100;
    static final int SHORT_ZERO = 0x80;
    static final int LONG_NEGATIVE = 0x01;
    static final int LONG_POSITIVE = 0xF0;

    private Exponent() {}
}
