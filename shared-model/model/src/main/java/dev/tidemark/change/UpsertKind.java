package dev.tidemark.change;

/** How a row came to its new state; the codes are Debezium's. */
public enum UpsertKind {
    CREATE("c"),
    UPDATE("u"),
    READ("r");

    private final String code;

    UpsertKind(String code) {
        this.code = code;
    }

    /** The value of {@code op} in an event. */
    public String code() {
        return code;
    }
}
