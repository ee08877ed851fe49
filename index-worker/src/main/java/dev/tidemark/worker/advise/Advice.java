package dev.tidemark.worker.advise;

import java.util.List;
import java.util.Locale;

/**
 * Advice that would improve an index.
 *
 * @param kind the kind of advice
 * @param index name of the index
 * @param text what was found and what to do, for readers who may read the index
 * @param guarded the same text without values of the index
 * @param figures the numbers that the advice rests on
 * @param saving the expected saving
 */
public record Advice(Kind kind, String index, String text, String guarded, List<Figure> figures, Saving saving) {

    /** What advice is about. */
    public enum Kind {
        /** The key has few distinct values, so each value matches many rows. */
        NOT_DISCRIMINATING,
        /** Nearly all entries have the same value. */
        ONE_VALUE,
        /** Few keys take an outsized part of the changes. */
        HEAVY_KEYS,
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
     * @param entries number of index entries saved
     * @param bytes bytes of keys and projected fields saved, before compression
     * @param applyNanosPerChange nanoseconds of applying saved, for each change of the table
     * @param rowFetches queries since counting began that would not have had to fetch rows from the writer
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
