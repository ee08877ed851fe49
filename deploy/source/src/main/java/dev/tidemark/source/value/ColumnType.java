package dev.tidemark.source.value;

import java.util.Map;

/** How the text of a value becomes JSON. */
public enum ColumnType {
    /** Exact numbers; NaN and the infinities, which JSON lacks, are text. */
    NUMBER,
    BOOLEAN,
    /** JSON in JSON. */
    JSON,
    DATE,
    TIME,
    /** A time of day with an offset, in UTC. */
    TIME_WITH_ZONE,
    /** A local date and time. */
    TIMESTAMP,
    /** A point in time, in UTC. */
    INSTANT,
    BYTES,
    HSTORE,
    /** As PostgreSQL shows it. */
    TEXT;

    private static final Map<String, ColumnType> BY_NAME = Map.ofEntries(
            Map.entry("int2", NUMBER),
            Map.entry("int4", NUMBER),
            Map.entry("int8", NUMBER),
            Map.entry("oid", NUMBER),
            Map.entry("float4", NUMBER),
            Map.entry("float8", NUMBER),
            Map.entry("numeric", NUMBER),
            Map.entry("bool", BOOLEAN),
            Map.entry("json", JSON),
            Map.entry("jsonb", JSON),
            Map.entry("date", DATE),
            Map.entry("time", TIME),
            Map.entry("timetz", TIME_WITH_ZONE),
            Map.entry("timestamp", TIMESTAMP),
            Map.entry("timestamptz", INSTANT),
            Map.entry("bytea", BYTES),
            Map.entry("hstore", HSTORE));

    /** The types of the catalog that a domain may be over, by their number in {@code pg_type}. */
    private static final Map<Integer, String> BY_OID =
            Map.of(114, "json", 3802, "jsonb", 1082, "date", 1266, "timetz", 1114, "timestamp", 1184, "timestamptz");

    /** That of a type by its name in {@code pg_type}. */
    public static ColumnType of(String name) {
        return BY_NAME.getOrDefault(name, TEXT);
    }

    /**
     * That of a column.
     *
     * @param oid of the type, or of the type that a domain is over
     */
    public static ColumnType of(String name, int oid) {
        return of(BY_OID.getOrDefault(oid, name));
    }
}
