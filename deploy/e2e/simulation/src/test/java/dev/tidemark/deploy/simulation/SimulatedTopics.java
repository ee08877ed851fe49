package dev.tidemark.deploy.simulation;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicStatus;
import dev.tidemark.writer.outbox.TopicTailReader;

/** The change topics of all tables, those that were deleted included. */
final class SimulatedTopics implements ChangeTopics, TopicTailReader, TopicWatchAgent.Topics, PartitionInfoSource {
    private static final int CHANGE_FAILS = 20;
    private static final int DESCRIPTION_FAILS = 40;
    private static final int ASKING_FAILS = 40;
    private static final int TAIL_FAILS = 60;

    private final Map<String, SimulatedLog> logs = new LinkedHashMap<>();
    private final SimulatedDefinitions definitions;
    private final ManualClock clock;
    private final RandomSource chance;
    private boolean wentBack;

    SimulatedTopics(SimulatedDefinitions definitions, ManualClock clock, RandomSource chance) {
        this.definitions = definitions;
        this.clock = clock;
        this.chance = chance;
    }

    SimulatedLog of(String table) {
        return logs.computeIfAbsent(table, unseen -> new SimulatedLog(table, clock, chance));
    }

    SimulatedPartition partition(ShardId shard) {
        return partition(shard.table(), shard.partition());
    }

    SimulatedPartition partition(String table, int partition) {
        return of(table).partitions().get(partition);
    }

    /** Those of the tables that are in force. */
    List<SimulatedLog> all() {
        return definitions.layout().tables().stream()
                .map(DesiredTable::name)
                .map(this::of)
                .toList();
    }

    /** The topics that are there and of no table that is in force. */
    List<String> leftover() {
        return logs.entrySet().stream()
                .filter(log -> log.getValue().isThere())
                .map(Map.Entry::getKey)
                .filter(table -> definitions.layout().table(table).isEmpty())
                .toList();
    }

    /** The tables of the layouts of a table that have a topic. */
    List<String> layoutsOf(String table) {
        return logs.entrySet().stream()
                .filter(log -> log.getValue().isThere())
                .map(Map.Entry::getKey)
                .filter(name -> DerivedTable.of(name)
                        .filter(home -> home.isLayout() && home.table().equals(table))
                        .isPresent())
                .toList();
    }

    /**
     * Fact tables have gone back in time. From now on derived topics are returned. Versions of which one that is not
     * returned has the only trace would be given again.
     */
    void factsWentBack() {
        wentBack = true;
    }

    /** How often records were lost. */
    int losses() {
        return logs.values().stream().mapToInt(SimulatedLog::losses).sum();
    }

    /** Whether no topic lacks the beginning of a partition. */
    boolean areWhole() {
        return all().stream().allMatch(SimulatedLog::isWhole);
    }

    void compact() {
        logs.values().forEach(SimulatedLog::compact);
    }

    /** Some of the records that are late come now, all of them where all are asked for. */
    void deliverLate(boolean all) {
        logs.values().forEach(log -> log.deliverLate(all));
    }

    /** Whether no record can come late any more, and the writer has had time to see those that did. */
    boolean isLateOver() {
        return logs.values().stream().allMatch(SimulatedLog::isLateOver);
    }

    /** How much was ever published. */
    long published() {
        return logs.values().stream()
                .flatMap(log -> log.partitions().stream())
                .mapToLong(SimulatedPartition::endOffset)
                .sum();
    }

    /** The writer asks for looks. */
    void asked() {
        logs.values().forEach(SimulatedLog::asked);
    }

    @Override
    public Optional<TopicStatus> find(TableDefinition spec) throws PublishException {
        boolean mayFail = !wentBack || !DerivedTable.is(spec.name());
        if (mayFail && chance.faultOneIn(12)) {
            chance.meet(CoveragePoint.A_TOPIC_COULD_NOT_BE_LOOKED_AT);
            throw new PublishException("no answer about the topic of " + spec.name());
        }
        return of(spec.name()).find();
    }

    @Override
    public TopicStatus create(TableDefinition spec) throws PublishException {
        return changed(
                CoveragePoint.A_TOPIC_COULD_NOT_BE_MADE, () -> of(spec.name()).create(spec));
    }

    /** Where no answer comes, it is done or not. */
    private <T> T changed(CoveragePoint fails, Supplier<T> change) throws PublishException {
        boolean unanswered = chance.faultOneIn(CHANGE_FAILS);
        if (unanswered) {
            chance.meet(fails);
        }
        if (unanswered && chance.oneIn(2)) {
            throw new PublishException("the brokers could not be asked: " + fails);
        }
        T answer = change.get();
        if (unanswered) {
            throw new PublishException("no answer came: " + fails);
        }
        return answer;
    }

    @Override
    public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException {
        if (DerivedTable.is(spec.name())) {
            chance.meet(CoveragePoint.A_DERIVED_TOPIC_WAS_DELETED);
        }
        return changed(
                CoveragePoint.A_TOPIC_COULD_NOT_BE_DELETED,
                () -> of(spec.name()).delete(found));
    }

    @Override
    public Optional<String> objection(TableDefinition spec, TopicStatus status) {
        return Optional.empty();
    }

    @Override
    public Described describe(Set<String> tables) {
        boolean fails = chance.faultOneIn(DESCRIPTION_FAILS);
        if (fails) {
            chance.meet(CoveragePoint.TOPICS_COULD_NOT_BE_DESCRIBED);
        }
        if (fails && (tables.isEmpty() || chance.oneIn(2))) {
            throw new IllegalStateException("no broker answers");
        }
        Map<String, Topic> found = new HashMap<>();
        logs.forEach((table, log) -> {
            if (tables.contains(table) && log.isThere()) {
                found.put(table, new Topic(log.topicId(), log.partitions().size()));
            }
        });
        if (!fails) {
            return new Described(found, Map.of());
        }
        String unknown = chance.pick(tables.stream().sorted().toList());
        found.remove(unknown);
        return new Described(found, Map.of(unknown, "a broker does not answer"));
    }

    @Override
    public PartitionInfo ask(ShardId shard) {
        if (chance.faultOneIn(ASKING_FAILS)) {
            chance.meet(CoveragePoint.A_PARTITION_COULD_NOT_BE_ASKED_FOR);
            throw new IllegalStateException("the leader of " + shard + " does not answer");
        }
        SimulatedPartition partition = partition(shard);
        return new PartitionInfo(
                of(shard.table()).topicId(),
                partition.startOffset(),
                partition.endOffset(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public Piece read(Shard shard, long from, long end) throws PublishException {
        failSeldom(shard);
        return of(shard.table()).read(shard.partition(), from, end);
    }

    @Override
    public Optional<Found> first(Shard shard, long offset) throws PublishException {
        failSeldom(shard);
        return of(shard.table()).first(shard.partition(), offset);
    }

    private void failSeldom(Shard shard) throws PublishException {
        if (chance.faultOneIn(TAIL_FAILS)) {
            chance.meet(CoveragePoint.A_TAIL_COULD_NOT_BE_READ);
            throw new PublishException("partition " + shard + " cannot be read");
        }
    }

    @Override
    public void release() {
        // Nothing is held.
    }
}
