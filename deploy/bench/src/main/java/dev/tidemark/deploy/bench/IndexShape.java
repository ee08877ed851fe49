package dev.tidemark.deploy.bench;

import java.util.Locale;

/** What an entry of the index on last name and town holds. */
public enum IndexShape {
    /** The primary key, which is what an index of PostgreSQL holds. */
    KEYS_ONLY,
    /** The whole row, which PostgreSQL has no index for: it is compared with the same one. */
    ALL;

    /** As the catalog spells it. */
    public String projection() {
        return name().toLowerCase(Locale.ROOT);
    }
}
