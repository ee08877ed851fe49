package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommittedChange;

/** The history of each table. */
final class Histories {
    private final Map<String, History> histories = new HashMap<>();
    private final WritesAsAsked writes = new WritesAsAsked(this);
    private RowVersion last = RowVersion.NONE;

    History of(String table) {
        return histories.computeIfAbsent(table, unseen -> new History());
    }

    /** What clients ask for, and are answered. */
    WritesAsAsked writes() {
        return writes;
    }

    /** The newest version that stands. */
    RowVersion last() {
        return last;
    }

    /** A batch was committed, at a time that no process's clock needs to show. */
    void committed(List<CommittedChange> batch, Instant trueTime) {
        batch.forEach(change -> histories
                .values()
                .forEach(history -> history.givenAgain(change.event().version())));
        batch.forEach(writes::committed);
        batch.stream()
                .map(change -> change.event().version())
                .max(RowVersion::compareTo)
                .ifPresent(newest -> last = newest);
        batch.stream()
                .collect(Collectors.groupingBy(CommittedChange::table))
                .forEach((table, changes) -> of(table).committed(changes, trueTime));
    }

    /** The fact tables have gone back in time: all that came after a version is lost. */
    void lostAfter(RowVersion version) {
        last = version;
        histories.values().forEach(history -> history.lostAfter(version));
    }
}
