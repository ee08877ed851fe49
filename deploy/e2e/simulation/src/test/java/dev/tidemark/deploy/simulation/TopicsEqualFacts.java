package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.KeyedRow;

/** In the end a topic is a copy of its table: the last record of each key is the newest state of the row. */
final class TopicsEqualFacts implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        ChangeCodec codec = new ChangeCodec(watched.table().name());
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            SimulatedPartition records = watched.log().partitions().get(partition);
            Map<KeyBytes, RowVersion> last = new HashMap<>();
            for (Map.Entry<Long, WireRecord> record : records.read(records.startOffset(), Integer.MAX_VALUE)) {
                read(codec, record.getValue()).ifPresent(event -> last.put(event.key(), version(event)));
            }
            last.values().removeIf(RowVersion.NONE::equals);
            Map<KeyBytes, RowVersion> rows = new HashMap<>();
            for (KeyedRow row : watched.writer()
                    .facts()
                    .scan(watched.facts(), null, Integer.MAX_VALUE, Long.MAX_VALUE)
                    .rows()) {
                if (watched.holds(partition, Watched.stated(row))) {
                    rows.put(row.key(), row.stored().version());
                }
            }
            if (!last.equals(rows)) {
                violations.add("partition " + partition + " ends with rows " + last + ", and the table has " + rows);
            }
        }
        return violations;
    }

    /** That of a row that is there. */
    private static RowVersion version(ChangeEvent event) {
        return event instanceof ChangeEvent.Upserted ? event.version() : RowVersion.NONE;
    }

    private static Optional<ChangeEvent> read(ChangeCodec codec, WireRecord record) {
        try {
            ChangeMessage message = codec.decode(record);
            return message instanceof ChangeEvent event ? Optional.of(event) : Optional.empty();
        } catch (MalformedChangeException e) {
            return Optional.empty();
        }
    }
}
