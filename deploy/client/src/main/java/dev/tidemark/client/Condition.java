package dev.tidemark.client;

import java.util.Map;

/** What must be true of a row for a write to happen. A write whose condition fails changes nothing. */
public final class Condition {
    private final Map<String, String> headers;

    private Condition(Map<String, String> headers) {
        this.headers = headers;
    }

    /** Holds always. */
    public static Condition none() {
        return new Condition(Map.of());
    }

    /** The row must not exist: {@code If-None-Match: *}. */
    public static Condition absent() {
        return new Condition(Map.of("If-None-Match", "*"));
    }

    /** The row must exist, in any version: {@code If-Match: *}. */
    public static Condition present() {
        return new Condition(Map.of("If-Match", "*"));
    }

    /**
     * The row must have that version: {@code If-Match: "version"}.
     *
     * @param version as a write, a row or an entry had it
     */
    public static Condition version(String version) {
        return new Condition(Map.of("If-Match", '"' + version + '"'));
    }

    Map<String, String> headers() {
        return headers;
    }

    @Override
    public String toString() {
        return "Condition" + headers;
    }
}
