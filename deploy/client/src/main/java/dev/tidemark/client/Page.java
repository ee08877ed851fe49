package dev.tidemark.client;

import java.util.List;
import java.util.Optional;

/**
 * One answer to a query.
 *
 * @param entries in the order of the query
 * @param next cursor of the page that follows; empty on the last one
 * @param freshness how old the page may be, and what it may lack
 */
public record Page<T>(List<Entry<T>> entries, Optional<String> next, Freshness freshness) {
    public Page {
        entries = List.copyOf(entries);
    }
}
