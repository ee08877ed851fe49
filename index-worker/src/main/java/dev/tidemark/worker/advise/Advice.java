package dev.tidemark.worker.advise;

import java.util.List;
import java.util.Locale;

/**
 * Something that would make an index better.
 *
 * @param kind what it is about
 * @param index name of the index
 * @param text what was found and what to do, for people who may read the index
 * @param guarded the same without values of the index
 * @param figures what it rests on
 * @param saving what following it is expected to save
 */
public record Advice(Kind kind, String index, String text, String guarded, List<Figure> figures, Saving saving) {

    /** What advice is about. */
    public enum Kind {
        /** The key has few distinct values, so each value matches many rows. */
        NOT_DISCRIMINATING,
        /** Nearly all entries have the same value. */
        ONE_VALUE,
        /** More than half of the updates change the key. */
        VOLATILE,
        /** No query uses the index. */
        NEVER_QUERIED,
        /** Queries do not use the projected fields. */
        KEYS_ONLY,
        /** Queries fetch rows from the writer, although entries could hold the fields. */
        COVERING;

        /** The name in answers. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A number that advice rests on.
     *
     * @param name in camel case, with the unit where it has one
     */
    public record Figure(String name, double value) {}

    /**
     * An estimate of what is saved; 0 where nothing is.
     *
     * @param entries index entries less
     * @param bytes of keys and carried fields, before compression
     * @param applyNanosPerChange nanoseconds of applying, for each change of the table
     * @param rowFetches questions that would not have had to ask the writer, since counting began
     */
    public record Saving(long entries, long bytes, long applyNanosPerChange, long rowFetches) {}

    public Advice {
        figures = List.copyOf(figures);
    }

    /** Advice whose text has no values. */
    public Advice(Kind kind, String index, String text, List<Figure> figures, Saving saving) {
        this(kind, index, text, text, figures, saving);
    }
}
