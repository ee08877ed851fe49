package dev.tidemark.key;

/** First byte of each value in a key; their order is the order of types. Numbers are frozen: they are on disk. */
final class TypeCode {
    /** Reserved for the keys of records that are not rows, so that they differ from every row's key. */
    static final int RESERVED = 0x00;

    static final int FALSE = 0x10;
    static final int TRUE = 0x11;
    static final int NEGATIVE = 0x20;
    static final int ZERO = 0x21;
    static final int POSITIVE = 0x22;
    static final int TEXT = 0x30;

    private TypeCode() {}
}
