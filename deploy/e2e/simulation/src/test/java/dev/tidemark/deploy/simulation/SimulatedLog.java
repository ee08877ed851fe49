package dev.tidemark.deploy.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.TopicStatus;
import dev.tidemark.writer.outbox.TopicTailReader;

/** The change topic of a table, one after the other of its name. */
final class SimulatedLog {
    /** Records younger than this are not compacted; in production an hour. */
    static final Duration MIN_COMPACTION_LAG = Duration.ofHours(1);

    /** Tombstones older than this are dropped; in production a week. */
    static final Duration TOMBSTONE_RETENTION = Duration.ofDays(7);

    /** When a record is on the broker's disk at the latest, which is long before it can make others go. */
    private static final Duration WRITTEN_BACK_AFTER = Duration.ofMinutes(1);

    /** No connection lives longer than that without being of use. */
    static final Duration LATEST = Duration.ofMinutes(2);

    /** Heartbeats have come behind a late record by then, and the rows that it overtook are committed once more. */
    private static final Duration SEEN_AFTER = Duration.ofSeconds(1);

    private static final int PIECE = 7;

    private final String table;
    private final ManualClock clock;
    private final RandomSource chance;
    private final List<SimulatedPartition> partitions = new ArrayList<>();
    private final List<Poison> poison = new ArrayList<>();
    private final Queue<Late> late = new ArrayDeque<>();
    private Instant lastLate = Instant.MIN;
    private int topics = 1;
    private int losses;
    private int lookedAt;
    private int untold;
    private boolean askedKnowingAll;
    private boolean deleted;

    SimulatedLog(String table, ManualClock clock, RandomSource chance) {
        this.table = table;
        this.clock = clock;
        this.chance = chance;
    }

    List<SimulatedPartition> partitions() {
        return partitions;
    }

    /** The topic is deleted and made again, with nothing in it. */
    void replace() {
        if (!partitions.isEmpty()) {
            chance.meet(CoveragePoint.A_TOPIC_WAS_REPLACED);
            topics++;
            losses++;
            partitions.replaceAll(old -> new SimulatedPartition());
        }
    }

    /** A partition loses its newest records, and its leader what waits there: a closed producer sends nothing twice. */
    void loseTail() {
        if (!partitions.isEmpty()) {
            chance.meet(CoveragePoint.A_TAIL_WAS_LOST);
            losses++;
            int partition = chance.below(partitions.size());
            partitions.get(partition).lose(1 + chance.below(6), clock.instant().minus(WRITTEN_BACK_AFTER));
            late.removeIf(record -> record.partition() == partition);
        }
    }

    /** A partition loses some of its oldest records. */
    void loseHead() {
        if (!partitions.isEmpty()) {
            chance.meet(CoveragePoint.A_HEAD_WAS_LOST);
            SimulatedPartition partition = chance.pick(partitions);
            long there = partition.endOffset() - partition.startOffset();
            partition.curtail(partition.startOffset() + chance.below((int) there + 1));
        }
    }

    /**
     * Somebody else writes a record that nobody can read, with a key that no row has. Not before the writer has looked
     * at what was lost, and asked for that look when it knew of all that it had sent, and what was sent before that has
     * come: where strangers fill the place of lost records, offsets tell nothing, and nobody promises anything. Not
     * before the writer has written either, which would not take the topic for its own.
     */
    void poison() {
        boolean isUsed = partitions.stream().anyMatch(partition -> partition.endOffset() > 0);
        if (isUsed && lookedAt == losses && late.isEmpty()) {
            int partition = chance.below(partitions.size());
            KeyBytes key = KeyBytes.wrap(("poison " + poison.size()).getBytes(StandardCharsets.UTF_8));
            poison.add(new Poison(partition, partitions.get(partition).endOffset(), key, topicId()));
            partitions
                    .get(partition)
                    .append(new WireRecord(key, KeyBytes.wrap(new byte[] {1}), Map.of()), clock.instant());
        }
    }

    /** The records that nobody can read and that are still in a partition. */
    List<Poison> poison(int partition) {
        return poison.stream()
                .filter(one -> one.partition() == partition
                        && one.topicId().equals(topicId())
                        && partitions.get(partition).holds(one.offset(), one.key()))
                .toList();
    }

    /** A record that nobody can read. */
    record Poison(int partition, long offset, KeyBytes key, String topicId) {}

    /** A record that was sent and did not come yet; it may, after newer ones. */
    void comeLate(Late record) {
        late.add(record);
    }

    /** A producer goes on with a new epoch: what it sent to a partition before and did not come yet is refused. */
    void fence(int partition, long session) {
        late.removeIf(one -> one.partition() == partition
                && ExpectedPosition.of(one.record().headers())
                        .filter(said -> said.session() == session)
                        .isPresent());
    }

    /** Some of the records that are late come now, all of them where all are asked for. */
    void deliverLate(boolean all) {
        int count = all ? late.size() : chance.below(late.size() + 1);
        for (int i = 0; i < count; i++) {
            Late record = late.remove();
            boolean inTime = !clock.instant().isAfter(record.sentAt().plus(LATEST));
            if (inTime && record.topicId().equals(topicId()) && !partitions.isEmpty()) {
                chance.meet(CoveragePoint.A_RECORD_CAME_LATE);
                partitions.get(record.partition()).append(record.record(), clock.instant());
                lastLate = clock.instant();
            }
        }
    }

    /** Whether no record can come late any more, and the writer has had time to see those that did. */
    boolean isLateOver() {
        return late.isEmpty() && clock.instant().isAfter(lastLate.plus(SEEN_AFTER));
    }

    /** So many more messages, or fewer, are under way of which the writer does not know yet what became of them. */
    void addUntold(int more) {
        untold += more;
        askedKnowingAll = false;
    }

    /** The writer asks for a look. It compares what is found with what it knows now. */
    void asked() {
        askedKnowingAll = untold == 0;
    }

    /** A record on its way to a partition of a topic. */
    record Late(String topicId, int partition, WireRecord record, Instant sentAt) {}

    /** How often records were lost. */
    int losses() {
        return losses;
    }

    String topicId() {
        return "topic-" + topics;
    }

    /** Whether no partition lacks its beginning, of which nobody can say what it held. */
    boolean isWhole() {
        return partitions.stream().allMatch(partition -> partition.startOffset() == 0);
    }

    void compact() {
        partitions.forEach(partition ->
                partition.compact(clock.instant(), MIN_COMPACTION_LAG, TOMBSTONE_RETENTION, chance.random()));
    }

    /** The topic as the writer finds it. */
    Optional<TopicStatus> find() {
        if (askedKnowingAll) {
            lookedAt = losses;
        }
        return isThere() ? Optional.of(status()) : Optional.empty();
    }

    /** Whether there is such a topic now. */
    boolean isThere() {
        return !partitions.isEmpty() && !deleted;
    }

    TopicStatus create(TableDefinition spec) {
        if (partitions.isEmpty()) {
            IntStream.range(0, spec.partitions()).forEach(i -> partitions.add(new SimulatedPartition()));
        }
        deleted = false;
        return status();
    }

    boolean delete(TopicStatus found) {
        if (found.id().equals(topicId())) {
            // Who reads it sees the next one, with nothing in it, at once.
            replace();
            deleted = true;
        }
        return true;
    }

    /** The next records of a partition, as the writer reads them. */
    TopicTailReader.Piece read(int partition, long from, long end) {
        List<ChangeMessage> messages = new ArrayList<>();
        Set<KeyBytes> unreadable = new HashSet<>();
        long next = end;
        long session = 0;
        int read = 0;
        SimulatedPartition source = partitions.get(partition);
        for (Map.Entry<Long, WireRecord> entry : source.read(Math.max(from, source.startOffset()), PIECE)) {
            WireRecord record = entry.getValue();
            decoded(record).ifPresentOrElse(messages::add, () -> unreadable.add(record.key()));
            session = Math.max(session, expectation(record).session());
            read++;
            next = read < PIECE ? end : entry.getKey() + 1;
        }
        return new TopicTailReader.Piece(messages, unreadable, session, next);
    }

    private static ExpectedPosition expectation(WireRecord record) {
        return ExpectedPosition.of(record.headers()).orElse(ExpectedPosition.NONE);
    }

    /** The first record at or after an offset. */
    Optional<TopicTailReader.Found> first(int partition, long offset) {
        SimulatedPartition source = partitions.get(partition);
        return source.read(Math.max(offset, source.startOffset()), 1).stream()
                .map(entry -> new TopicTailReader.Found(
                        entry.getKey(), decoded(entry.getValue()), expectation(entry.getValue())))
                .findFirst();
    }

    private Optional<ChangeMessage> decoded(WireRecord record) {
        try {
            return Optional.of(new ChangeCodec(table).decode(record));
        } catch (MalformedChangeException e) {
            return Optional.empty();
        }
    }

    private TopicStatus status() {
        List<Long> starts =
                partitions.stream().map(SimulatedPartition::startOffset).toList();
        List<Long> ends = partitions.stream().map(SimulatedPartition::endOffset).toList();
        return new TopicStatus(topicId(), starts, ends, Map.of());
    }
}
