package dev.tidemark.writer.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.writer.outbox.AppendedOffsets.OffsetRange;
import dev.tidemark.writer.outbox.EventPublisher.Shard;

/**
 * The ends of partitions according to acknowledgements: the offset at which the next record has to stand. A record at a
 * lower offset shows lost records. A record at a higher offset shows records that another process has written, or that
 * arrive late. For the relay alone.
 */
final class AcknowledgedEnds {
    private final Map<Shard, Long> ends = new HashMap<>();

    private final Map<Shard, Integer> underWay = new HashMap<>();

    /**
     * What acknowledged offsets show.
     *
     * @param losses what is lost, by partition: the first offset that is
     * @param strays where records stand that were not acknowledged in their order
     */
    record Seen(Map<Shard, Loss> losses, List<RecordRange> strays) {
        Optional<String> loss() {
            return losses.entrySet().stream()
                    .map(entry -> entry.getValue().text(entry.getKey()))
                    .reduce((one, other) -> one + "; " + other);
        }
    }

    /**
     * A partition goes on before its end.
     *
     * @param ofChanges whether what is lost was among changes that were sent at once; where it was not, older ones may
     *     be lost
     */
    record Loss(long end, long first, boolean ofChanges) {
        /** This one, and another behind it among messages that were sent at once. */
        private Loss and(Loss next) {
            return new Loss(end, Math.min(first, next.first), ofChanges || next.ofChanges);
        }

        private String text(Shard shard) {
            return "topic " + ChangeTopic.nameFor(shard.table()) + " has lost records: partition " + shard.partition()
                    + " ended at " + end + " and goes on from " + first;
        }
    }

    /**
     * The same messages with the offsets that they will have, after those that are under way already.
     *
     * @param session number of the producer that sends them
     */
    List<Publication> expecting(List<Publication> messages, long session) {
        List<Publication> expected = new ArrayList<>(messages.size());
        for (Publication message : messages) {
            Shard shard = message.shard();
            int before = underWay.merge(shard, 1, Integer::sum) - 1;
            long known = ends.getOrDefault(shard, 0L);
            expected.add(message.expected(new ExpectedPosition(known + before, known, session)));
        }
        return expected;
    }

    /** Notes where acknowledged records stand. */
    Seen seen(AppendedOffsets appended) {
        Map<Shard, Loss> losses = new HashMap<>();
        List<RecordRange> strays = new ArrayList<>();
        appended.forEach((shard, part) -> {
            underWay.computeIfPresent(shard, (same, count) -> Math.max(0, count - part.messages()));
            boolean afterChanges = false;
            for (OffsetRange range : part.ranges()) {
                Long before = ends.put(shard, range.end());
                if (before != null && range.first() < before) {
                    losses.merge(shard, new Loss(before, range.first(), afterChanges), Loss::and);
                } else if (before != null && range.first() > before) {
                    strays.add(new RecordRange(shard, before, range.first()));
                }
                afterChanges = part.hasChanges();
            }
        });
        return new Seen(losses, strays);
    }

    /** The end of a partition; empty before one is known. */
    Optional<Long> end(Shard shard) {
        return Optional.ofNullable(ends.get(shard));
    }

    /** A look found the ends of a topic while nothing was under way to it. */
    void found(TableDefinition spec, List<Long> found) {
        for (int partition = 0; partition < spec.partitions(); partition++) {
            Shard shard = new Shard(spec.name(), partition);
            ends.put(shard, found.get(partition));
            underWay.remove(shard);
        }
    }

    /** What is under way to a table counts no more. */
    void giveUp(String table) {
        underWay.keySet().removeIf(shard -> shard.table().equals(table));
    }

    /** Nothing is under way any more. */
    void nothingUnderWay() {
        underWay.clear();
    }
}
