package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A system that keeps a table of customers and can build an index on last name and town over it. */
public interface IndexBuilder {
    /** The key of the index. */
    List<String> KEY = List.of("lastName", "town");

    /** What an entry of the index on last name and town holds. */
    enum IndexShape {
        /** The primary key, which is what an index of PostgreSQL holds. */
        KEYS_ONLY,
        /** The whole row, which PostgreSQL has no index for: it is compared with the same one. */
        ALL;

        /** As the catalog spells it. */
        public String projection() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Writes the rows, and comes back when all are there for good. */
    void load(Stream<CustomerRow> rows) throws Exception;

    /** Builds the index; how long it took until queries may use it. */
    Duration build(IndexShape shape) throws Exception;

    /** Drops it again. */
    void drop() throws Exception;
}
