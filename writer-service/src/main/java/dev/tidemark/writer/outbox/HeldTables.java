package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which tables are held, and why: their changes are left out of what is published. For the relay alone. */
final class HeldTables {
    private static final Logger LOGGER = LoggerFactory.getLogger(HeldTables.class);

    private final Map<String, Held> tables = new TreeMap<>();
    private final Map<String, Long> times = new TreeMap<>();
    private final Set<String> gone = new TreeSet<>();
    private final Map<String, Instant> toLookAt = new TreeMap<>();
    private final int count;
    private final RelayStatus status;

    private record Held(TableHold hold, List<EventPublisher.Sending> underWay) {}

    /**
     * None held.
     *
     * @param count how many tables there are, those that leave the catalog later included
     * @param status shows others which are held
     */
    HeldTables(int count, RelayStatus status) {
        this.count = count;
        this.status = status;
    }

    boolean isEmpty() {
        return tables.isEmpty() && gone.isEmpty();
    }

    boolean isHeld(String table) {
        return tables.containsKey(table) || gone.contains(table);
    }

    /**
     * A table is not in the catalog: its changes in the outbox are left out for good, and the status does not list it.
     */
    void leave(String table) {
        tables.remove(table);
        gone.add(table);
        show();
    }

    Optional<TableHold.Kind> kind(String table) {
        return Optional.ofNullable(tables.get(table)).map(held -> held.hold().kind());
    }

    /** Tables that are not in the catalog. */
    Set<String> gone() {
        return Set.copyOf(gone);
    }

    Set<String> names() {
        Set<String> names = new TreeSet<>(tables.keySet());
        names.addAll(gone);
        return names;
    }

    /** How many times a table was held, so that a caller can detect a result from before the last time. */
    long times(String table) {
        return times.getOrDefault(table, 0L);
    }

    /** Whether the result of every message sent to a table before it was held is known. */
    boolean isQuiet(String table) {
        Held held = tables.get(table);
        return held == null || held.underWay().stream().allMatch(EventPublisher.Sending::isDone);
    }

    /**
     * Holds a table, for another reason where it is held already.
     *
     * @param underWay what was sent to it and is given up
     */
    void hold(String table, TableHold hold, List<EventPublisher.Sending> underWay) {
        times.merge(table, 1L, Long::sum);
        Held before = tables.get(table);
        List<EventPublisher.Sending> all = new ArrayList<>(underWay);
        if (before != null) {
            all.addAll(before.underWay());
        }
        // Each holds its messages, and a table may be held many times before its topic takes records again.
        all.removeIf(EventPublisher.Sending::isDone);
        tables.put(table, new Held(hold, all));
        show();
        if (before == null || !before.hold().equals(hold)) {
            say(table, hold);
        }
    }

    private static void say(String table, TableHold hold) {
        switch (hold.kind()) {
            case WAITING -> LOGGER.info("Changes of table {} wait: {}", table, hold.reason());
            case REFUSED -> LOGGER.warn("Changes of table {} cannot be published: {}", table, hold.reason());
            case REPUBLISHING -> LOGGER.info("Table {} is published again: {}", table, hold.reason());
        }
    }

    /** The topic of a table is to be looked at, as soon as can be after a time. */
    void lookAt(String table, Instant due) {
        toLookAt.put(table, due);
    }

    /** The tables whose topics are to be looked at, once, and from when on. */
    Map<String, Instant> takeToLookAt() {
        Map<String, Instant> taken = Map.copyOf(toLookAt);
        toLookAt.clear();
        return taken;
    }

    void release(String table) {
        if (tables.remove(table) != null) {
            show();
            LOGGER.info("Changes of table {} are published again", table);
        }
    }

    /** A derived table is no more. */
    void forget(String table) {
        tables.remove(table);
        show();
    }

    /** Everything that was sent is given up, and what holds tables is found out again: each topic is looked at now. */
    void clear() {
        tables.clear();
        toLookAt.clear();
        show();
    }

    private void show() {
        Map<String, TableHold> shown = new TreeMap<>();
        tables.forEach((table, held) -> shown.put(table, held.hold()));
        status.hold(shown, count - gone.size());
    }
}
