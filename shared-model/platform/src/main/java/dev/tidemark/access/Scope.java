package dev.tidemark.access;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that a caller may be allowed to do.
 *
 * @param name of the table or index that it is about, or {@link #ALL}; empty where the kind is about none
 */
public record Scope(Kind kind, String name) {
    /** Stands for every name. */
    public static final String ALL = "*";

    /** What {@link #parse} takes, for messages. */
    public static final String FORMS = "write:TABLE, facts:TABLE, read:INDEX, read:TABLE.INDEX, read:TABLE.*,"
            + " read:metrics, peer, admin or * (and * for any name)";

    private static final String NAME = "[a-z][a-z0-9_]{0,62}";
    private static final Pattern FORM = Pattern.compile("(\\*|admin|peer|read:metrics)|(write|facts):(\\*|" + NAME
            + ")|(read):(\\*|" + NAME + "(?:\\.(?:\\*|" + NAME + "))?)");

    /** What it is about. */
    public enum Kind {
        /** Covers every other scope. */
        EVERYTHING("*"),
        /** Definitions, orders, proof and repair, quarantine, metrics; no rows and no entries. */
        ADMIN("admin"),
        /** The metrics alone. */
        METRICS("read:metrics"),
        /** What other workers ask for: parts of answers, which they give to those who may have them. */
        PEER("peer"),
        /** Entries of an index. */
        READ("read"),
        /** Rows of a fact table. */
        FACTS("facts"),
        /** To change rows of a fact table, and to read them. */
        WRITE("write");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /** The scope that is spelled so; empty when none is. */
    public static Optional<Scope> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        if (form.group(1) != null) {
            return kind(form.group(1)).map(kind -> new Scope(kind, ""));
        }
        boolean read = form.group(4) != null;
        return kind(form.group(read ? 4 : 2)).map(kind -> new Scope(kind, form.group(read ? 5 : 3)));
    }

    public static Scope admin() {
        return new Scope(Kind.ADMIN, "");
    }

    public static Scope metrics() {
        return new Scope(Kind.METRICS, "");
    }

    public static Scope peer() {
        return new Scope(Kind.PEER, "");
    }

    /** To read the index of that name: {@code by_town}, {@code customers.by_town} or {@code customers.*}. */
    public static Scope read(String index) {
        return new Scope(Kind.READ, index);
    }

    /** To read the rows of a table. */
    public static Scope facts(String table) {
        return new Scope(Kind.FACTS, table);
    }

    /** To write the rows of a table. */
    public static Scope write(String table) {
        return new Scope(Kind.WRITE, table);
    }

    /** Whether who has this has the other too. */
    boolean covers(Scope other) {
        return switch (kind) {
            case EVERYTHING -> true;
            case ADMIN -> other.kind == Kind.ADMIN || other.kind == Kind.METRICS;
            case METRICS -> other.kind == Kind.METRICS;
            case PEER -> other.kind == Kind.PEER || other.kind == Kind.READ || other.kind == Kind.FACTS;
            case READ, FACTS -> other.kind == kind && covers(other.name);
            case WRITE -> (other.kind == Kind.WRITE || other.kind == Kind.FACTS) && covers(other.name);
        };
    }

    private boolean covers(String other) {
        return name.equals(ALL) || name.equals(other);
    }

    /** As it is spelled in the file of tokens. */
    @Override
    public String toString() {
        return name.isEmpty() ? kind.label : kind.label + ":" + name;
    }

    private static Optional<Kind> kind(String label) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.label.equals(label))
                .findFirst();
    }
}
