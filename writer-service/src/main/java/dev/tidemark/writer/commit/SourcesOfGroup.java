package dev.tidemark.writer.commit;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.row.RowVersion;

/** Where sources stand before a group, and what the group changes of that. For one thread. */
final class SourcesOfGroup {
    private final GroupPlanner.Rows before;
    private final Map<String, SourcePosition> changed = new HashMap<>();

    SourcesOfGroup(GroupPlanner.Rows before) {
        this.before = before;
    }

    /** Where a source stands; empty before its first batch. */
    Optional<SourcePosition> position(String source) {
        return Optional.ofNullable(changed.get(source)).or(() -> before.currentPosition(source));
    }

    void moved(String source, SourcePosition to) {
        changed.put(source, to);
    }

    /** Rows of a source have new versions that it has not sent. Before its first batch it has read no row. */
    void restated(String source, RowVersion through) {
        position(source).ifPresent(position -> moved(source, position.restated(through)));
    }

    /** The positions that are to be stored. */
    Map<String, SourcePosition> changed() {
        return changed;
    }
}
