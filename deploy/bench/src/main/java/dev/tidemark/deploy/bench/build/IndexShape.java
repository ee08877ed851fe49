package dev.tidemark.deploy.bench.build;

/** What an entry of the index on last name and town holds. */
public enum IndexShape {
    /** The primary key, which is what an index of PostgreSQL holds. */
    KEYS_ONLY("keys_only"),
    /** The whole row, which PostgreSQL has no index for: it is compared with the same one. */
    ALL("all");

    private final String projection;

    IndexShape(String projection) {
        this.projection = projection;
    }

    /** As the catalog spells it. */
    public String projection() {
        return projection;
    }
}
