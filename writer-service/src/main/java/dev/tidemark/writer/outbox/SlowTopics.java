package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * How long topics of derived tables that did not acknowledge records are left alone before they are filled again. Each
 * filled topic takes changes again, and other tables wait for those as long as the patience with it lasts. So each rest
 * is twice as long as the one before. For the relay alone.
 */
final class SlowTopics {
    static final Duration FIRST_REST = Duration.ofSeconds(1);
    static final Duration LONGEST_REST = Duration.ofMinutes(5);

    private final Duration patience;
    private final Map<String, Rest> rests = new HashMap<>();

    private record Rest(Duration length, Instant until) {}

    /**
     * None was slow yet.
     *
     * @param patience how long a topic may take
     */
    SlowTopics(Duration patience) {
        this.patience = patience;
    }

    /** Returns until when the topic of a table rests that was given up now. */
    Instant restAfter(String table, Instant now) {
        Rest before = rests.get(table);
        Duration length = FIRST_REST;
        if (before != null && now.isBefore(before.until().plus(patience).plus(LONGEST_REST))) {
            Duration doubled = before.length().multipliedBy(2);
            length = doubled.compareTo(LONGEST_REST) < 0 ? doubled : LONGEST_REST;
        }
        Rest rest = new Rest(length, now.plus(length));
        rests.put(table, rest);
        return rest.until();
    }
}
