package dev.tidemark.facts;

/**
 * The format: four bytes that name it, a head, rows in ascending order of their keys, an end. Numbers are big-endian.
 *
 * <pre>
 * stream := "TMF1" head (row | version)* end
 * head   := epoch:8 sequence:8 time:8                          time in microseconds since 1970
 * row     := 1 keyLength:4 key epoch:8 sequence:8 rowLength:4 row      row as JSON
 * version := 2 keyLength:4 key epoch:8 sequence:8
 * end     := 3 count:8                                         rows and versions before it
 * </pre>
 */
public final class FactFrames {
    /** The media type of a stream. */
    public static final String MEDIA_TYPE = "application/vnd.tidemark.facts";

    static final int MAGIC = 0x544d4631;
    static final byte ROW = 1;
    static final byte VERSION = 2;
    static final byte END = 3;

    private FactFrames() {}
}
