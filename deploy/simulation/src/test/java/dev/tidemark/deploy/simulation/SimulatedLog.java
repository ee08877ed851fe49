package dev.tidemark.deploy.simulation;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.lifecycle.TopicFacts;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.outbox.TopicStatus;
import dev.tidemark.writer.outbox.TopicTails;

/** The change topic of one table, as writer and worker see it. */
final class SimulatedLog implements ChangeTopics, TopicTails, TopicWatchAgent.Topics, TopicFacts {
    /** Records younger than this are not compacted; in production an hour. */
    static final Duration MIN_COMPACTION_LAG = Duration.ofHours(1);

    /** Tombstones older than this are dropped; in production a week. */
    static final Duration TOMBSTONE_RETENTION = Duration.ofDays(7);

    /** When a record is on the broker's disk at the latest, which is long before it can make others go. */
    private static final Duration WRITTEN_BACK_AFTER = Duration.ofMinutes(1);

    /** No connection lives longer than that without being of use. */
    private static final Duration LATEST = Duration.ofMinutes(2);

    private static final int PIECE = 7;

    private final TableDefinition table;
    private final ManualClock clock;
    private final List<SimulatedPartition> partitions = new ArrayList<>();
    private final List<Poison> poison = new ArrayList<>();
    private final Queue<Late> late = new ArrayDeque<>();
    private int topics = 1;
    private int losses;
    private int lookedAt;
    private boolean deleted;

    SimulatedLog(TableDefinition table, ManualClock clock) {
        this.table = table;
        this.clock = clock;
    }

    List<SimulatedPartition> partitions() {
        return partitions;
    }

    /** The topic is deleted and made again, with nothing in it. */
    void replace() {
        if (!partitions.isEmpty()) {
            topics++;
            losses++;
            partitions.replaceAll(old -> new SimulatedPartition());
        }
    }

    /** A partition loses its newest records, and its leader what waits there: a closed producer sends nothing twice. */
    void loseTail(Chance chance) {
        if (!partitions.isEmpty()) {
            losses++;
            int partition = chance.below(partitions.size());
            partitions.get(partition).lose(1 + chance.below(6), clock.instant().minus(WRITTEN_BACK_AFTER));
            late.removeIf(record -> record.partition() == partition);
        }
    }

    /** A partition loses some of its oldest records. */
    void loseHead(Chance chance) {
        if (!partitions.isEmpty()) {
            SimulatedPartition partition = chance.pick(partitions);
            long there = partition.endOffset() - partition.startOffset();
            partition.curtail(partition.startOffset() + chance.below((int) there + 1));
        }
    }

    /**
     * Somebody else writes a record that nobody can read, with a key that no row has. Not before the writer has looked at what was
     * lost: where strangers fill the place of lost records, ends tell nothing, and nobody promises anything.
     */
    void poison(Chance chance) {
        if (!partitions.isEmpty() && lookedAt == losses) {
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

    /** Records that were sent and did not come yet; they may, after newer ones. */
    void comeLate(Collection<Late> records) {
        late.addAll(records);
    }

    /** Some of the records that are late come now, all of them where all are asked for. */
    void deliverLate(Chance chance, boolean all) {
        int count = all ? late.size() : chance.below(late.size() + 1);
        for (int i = 0; i < count; i++) {
            Late record = late.remove();
            boolean inTime = !clock.instant().isAfter(record.sentAt().plus(LATEST));
            if (inTime && record.topicId().equals(topicId()) && !partitions.isEmpty()) {
                partitions.get(record.partition()).append(record.record(), clock.instant());
            }
        }
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

    void compact(Chance chance) {
        partitions.forEach(partition ->
                partition.compact(clock.instant(), MIN_COMPACTION_LAG, TOMBSTONE_RETENTION, chance.random()));
    }

    @Override
    public Optional<TopicStatus> find(TopicSpec spec) {
        lookedAt = losses;
        return partitions.isEmpty() || deleted ? Optional.empty() : Optional.of(status());
    }

    @Override
    public TopicStatus create(TopicSpec spec) {
        if (partitions.isEmpty()) {
            IntStream.range(0, spec.partitions()).forEach(i -> partitions.add(new SimulatedPartition()));
        }
        deleted = false;
        return status();
    }

    @Override
    public boolean delete(TopicSpec spec, TopicStatus found) {
        if (found.id().equals(topicId())) {
            // Who reads it sees the next one, with nothing in it, at once.
            replace();
            deleted = true;
        }
        return true;
    }

    @Override
    public Optional<String> objection(TopicSpec spec, TopicStatus status) {
        return Optional.empty();
    }

    @Override
    public Described describe(Set<String> tables) {
        Map<String, Topic> found =
                partitions.isEmpty() ? Map.of() : Map.of(table.name(), new Topic(topicId(), partitions.size()));
        return new Described(found, Map.of());
    }

    @Override
    public Fact ask(ShardId shard) {
        SimulatedPartition partition = partitions.get(shard.partition());
        return new Fact(topicId(), partition.startOffset(), partition.endOffset(), Optional.empty(), Optional.empty());
    }

    @Override
    public Piece read(TopicSpec spec, int partition, long from, long end) {
        List<ChangeMessage> messages = new ArrayList<>();
        Set<KeyBytes> unreadable = new HashSet<>();
        long next = end;
        int read = 0;
        SimulatedPartition source = partitions.get(partition);
        for (Map.Entry<Long, WireRecord> entry : source.read(Math.max(from, source.startOffset()), PIECE)) {
            WireRecord record = entry.getValue();
            decoded(record).ifPresentOrElse(messages::add, () -> unreadable.add(record.key()));
            read++;
            next = read < PIECE ? end : entry.getKey() + 1;
        }
        return new Piece(messages, unreadable, next);
    }

    @Override
    public boolean holdsAnother(TopicSpec spec, int partition, long offset, long sequence) {
        Optional<WireRecord> there = partitions.get(partition).at(offset);
        return there.isPresent()
                && there.flatMap(this::decoded)
                        .filter(message -> message instanceof ChangeEvent change
                                && change.version().sequence() == sequence)
                        .isEmpty();
    }

    @Override
    public void release() {
        // Nothing is held.
    }

    private Optional<ChangeMessage> decoded(WireRecord record) {
        try {
            return Optional.of(new ChangeCodec(table.name()).decode(record));
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
