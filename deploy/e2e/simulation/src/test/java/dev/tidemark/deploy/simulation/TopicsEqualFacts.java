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
import dev.tidemark.writer.commit.StoredRow;

/** In the end a topic is a copy of its table: the last record of each key is the newest state of the row. */
final class TopicsEqualFacts implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        ChangeCodec codec = new ChangeCodec(watched.table().name());
        Map<KeyBytes, ChangeEvent> last = new HashMap<>();
        for (SimulatedPartition partition : watched.log().partitions()) {
            for (Map.Entry<Long, WireRecord> record : partition.read(partition.startOffset(), Integer.MAX_VALUE)) {
                read(codec, record.getValue()).ifPresent(event -> last.put(event.key(), event));
            }
        }
        watched.writer().facts().scan(watched.table().name(), null, Integer.MAX_VALUE, Long.MAX_VALUE).rows().stream()
                .filter(row -> !last.containsKey(row.key()))
                .forEach(row -> violations.add("the topic has nothing of " + row));
        last.forEach((key, event) -> {
            StoredRow row = watched.writer().facts().find(watched.table().name(), key);
            boolean equal = row == null
                    ? !(event instanceof ChangeEvent.Upserted)
                    : event instanceof ChangeEvent.Upserted there
                            && there.version().equals(row.version());
            if (!equal) {
                violations.add("the topic ends with " + event + ", and the table has " + row);
            }
        });
        return violations;
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
