package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeMessage;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.EventPublisher;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicFailedException;
import dev.tidemark.writer.outbox.TopicRefusedException;
import dev.tidemark.writer.outbox.TopicStatus;
import dev.tidemark.writer.outbox.TopicTailReader;

/**
 * The log: topics, their records, and the faults that a test asks for. After a failed call it takes nothing before
 * {@link #reset()}, as the port demands.
 */
public final class InMemoryLog implements EventPublisher, ChangeTopics, TopicTailReader {
    private static final int PIECE = 3;
    private static final ChangeMessage COMPACTED = new Heartbeat(Instant.EPOCH, RowVersion.NONE);

    private final List<Publication> published = new ArrayList<>();
    private final Map<String, List<List<ChangeMessage>>> topics = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, String> objections = new HashMap<>();
    private final Map<String, Long> curtailed = new HashMap<>();
    private final Set<String> refusing = new HashSet<>();
    private final Set<String> hidden = new HashSet<>();
    private final Set<String> forbidden = new HashSet<>();
    private final List<Publication> late = new ArrayList<>();
    private final Map<ChangeMessage, KeyBytes> garbage = new HashMap<>();
    private boolean deletesAllowed = true;
    private int nextId;
    private int recordsBeforeFailure = Integer.MAX_VALUE;
    private boolean down;
    private boolean silent;
    private final Set<String> mute = new HashSet<>();
    private final Map<String, Integer> timeouts = new HashMap<>();
    private int failures;
    private boolean needsReset;
    private int resets;
    private int readsBeforeFailure = Integer.MAX_VALUE;
    private int singleReadsBeforeFailure = Integer.MAX_VALUE;
    private boolean reading;

    /** Nothing can be asked or published until it is up again. */
    public void setDown(boolean down) {
        this.down = down;
    }

    /** While silent, it takes what is begun and acknowledges nothing. */
    public void setSilent(boolean silent) {
        this.silent = silent;
    }

    /** While mute, the topic of a table takes what is begun and acknowledges nothing. */
    public void mute(String table, boolean isMute) {
        if (isMute) {
            mute.add(table);
        } else {
            mute.remove(table);
        }
    }

    /**
     * What was begun and is not acknowledged turns out to have failed, records and all; as it comes about after the
     * call.
     */
    public void failUnderWay() {
        failures++;
        needsReset = true;
    }

    /** What was sent to the topic of one table and is not acknowledged is given up, as after the delivery timeout. */
    public void timeOut(String table) {
        timeouts.merge(table, 1, Integer::sum);
    }

    /** The next call to publish appends so many records, then fails. */
    public void failAfter(int records) {
        recordsBeforeFailure = records;
    }

    /** The topic of a table takes no records from now on, for a reason of its own; or takes them again. */
    public void refuseRecords(String table, boolean refused) {
        if (refused) {
            refusing.add(table);
        } else {
            refusing.remove(table);
        }
    }

    /** The topic of a table cannot be looked at, or can again. */
    public void hide(String table, boolean hidden) {
        if (hidden) {
            this.hidden.add(table);
        } else {
            this.hidden.remove(table);
        }
    }

    /** This writer may not look at the topic of a table, nor make it; or may again. That there is none, it may see. */
    public void forbid(String table, boolean isForbidden) {
        if (isForbidden) {
            forbidden.add(table);
        } else {
            forbidden.remove(table);
        }
    }

    /** What the failed call did not append comes now, after whatever has come since. */
    public void comeLate() {
        late.stream()
                .filter(message -> topics.containsKey(message.table()))
                .forEach(message ->
                        topic(message.table()).get(message.partition()).add(message.message()));
        late.clear();
    }

    /** Somebody else appends a record. */
    public void intrude(String table, int partition, ChangeMessage message) {
        topic(table).get(partition).add(message);
    }

    /** Somebody else appends a record with a key, which nobody can read. */
    public void intrudeGarbage(String table, int partition, KeyBytes key) {
        Heartbeat inItsPlace = new Heartbeat(Instant.EPOCH.plusMillis(garbage.size() + 1), RowVersion.NONE);
        topic(table).get(partition).add(inItsPlace);
        garbage.put(inItsPlace, key);
    }

    /** Removes a topic and all that it held. */
    public void deleteTopic(String table) {
        topics.remove(table);
        ids.remove(table);
        curtailed.remove(table);
    }

    /** Makes a topic, as somebody else might. */
    public void makeTopic(String table, int partitions) {
        List<List<ChangeMessage>> records = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            records.add(new ArrayList<>());
        }
        topics.put(table, records);
        ids.put(table, "topic-" + ++nextId);
    }

    /** Adds partitions to a topic. */
    public void addPartition(String table) {
        topic(table).add(new ArrayList<>());
    }

    /** Loses the newest records of a partition, as a broker without its disk cache does. */
    public void truncate(String table, int partition, int records) {
        List<ChangeMessage> log = topic(table).get(partition);
        log.subList(log.size() - records, log.size()).clear();
    }

    /** Compaction removes everything of a row. */
    public void forget(String table, KeyBytes key) {
        topic(table)
                .forEach(log -> log.replaceAll(message ->
                        message instanceof ChangeEvent event && event.key().equals(key) ? COMPACTED : message));
    }

    /** All partitions of a topic lose so many of their oldest records, whose offsets nothing takes. */
    public void curtail(String table, long records) {
        curtailed.put(table, records);
    }

    /** Whether the writer may delete topics, which it may unless told otherwise. */
    public void allowDeletes(boolean allowed) {
        deletesAllowed = allowed;
    }

    /** Objects to the settings of a topic from now on; empty text ends that. */
    public void object(String table, String objection) {
        objections.put(table, objection);
    }

    /** The next read of a single record fails, once. */
    public void failNextSingleRead() {
        singleReadsBeforeFailure = 0;
    }

    /** After so many more reads of records one fails, once. */
    public void failReadAfter(int reads) {
        readsBeforeFailure = reads;
    }

    /** Whether records were read, and what that takes was not let go since. */
    public boolean isReading() {
        return reading;
    }

    /** How many messages were ever published. */
    public int sent() {
        return published.size();
    }

    /** How often the producer was closed. */
    public int resets() {
        return resets;
    }

    /** Everything that was ever published, in that order. */
    public List<Publication> published() {
        return List.copyOf(published);
    }

    /** What a partition holds, oldest first. */
    public List<ChangeMessage> records(String table, int partition) {
        return List.copyOf(topic(table).get(partition));
    }

    public boolean hasTopic(String table) {
        return topics.containsKey(table);
    }

    /** Appends as {@link #begin} does, and waits. */
    public AppendedOffsets publish(List<Publication> messages) throws PublishException {
        if (needsReset) {
            throw new IllegalStateException("Expected a reset after the failed call");
        }
        int left = recordsBeforeFailure;
        recordsBeforeFailure = Integer.MAX_VALUE;
        AppendedOffsets appended = new AppendedOffsets();
        for (Publication message : messages) {
            if (down || left-- == 0 || !topics.containsKey(message.table())) {
                needsReset = true;
                late.addAll(messages.subList(messages.indexOf(message), messages.size()));
                throw new PublishException("the log did not take a record");
            }
            List<ChangeMessage> partition = topic(message.table()).get(message.partition());
            partition.add(message.message());
            published.add(message);
            appended.add(message, partition.size() - 1L);
        }
        return appended;
    }

    @Override
    public Sending begin(List<Publication> messages) throws PublishException {
        if (refusing.contains(messages.get(0).table())) {
            return new Refused();
        }
        AppendedOffsets appended = publish(messages);
        int failedBefore = failures;
        String table = messages.get(0).table();
        int timedOutBefore = timeouts.getOrDefault(table, 0);
        boolean acknowledged = !silent && !mute.contains(table);
        return new Sending() {
            @Override
            public boolean isDone() {
                return acknowledged || (!silent && !mute.contains(table)) || isFailed();
            }

            private boolean isFailed() {
                return failures > failedBefore || timeouts.getOrDefault(table, 0) > timedOutBefore;
            }

            @Override
            public AppendedOffsets appended() throws PublishException {
                if (!acknowledged && isFailed()) {
                    needsReset = true;
                    throw new PublishException("the log did not acknowledge records");
                }
                return appended;
            }
        };
    }

    private static final class Refused implements Sending {
        @Override
        public boolean isDone() {
            return true;
        }

        @Override
        public AppendedOffsets appended() throws TopicFailedException {
            throw new TopicFailedException("the topic does not take records", new IllegalStateException("by order"));
        }
    }

    @Override
    public void reset() {
        resets++;
        needsReset = false;
    }

    @Override
    public Optional<TopicStatus> find(TableDefinition spec) throws PublishException, TopicRefusedException {
        requireUp();
        if (topics.containsKey(spec.name())) {
            requireAllowed(spec.name());
        }
        if (hidden.contains(spec.name())) {
            throw new PublishException("a partition of " + spec.name() + " has no leader");
        }
        return topics.containsKey(spec.name()) ? Optional.of(status(spec.name())) : Optional.empty();
    }

    @Override
    public TopicStatus create(TableDefinition spec) throws PublishException, TopicRefusedException {
        requireUp();
        requireAllowed(spec.name());
        makeTopic(spec.name(), spec.partitions());
        return status(spec.name());
    }

    @Override
    public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException {
        requireUp();
        if (deletesAllowed && found.id().equals(ids.get(spec.name()))) {
            deleteTopic(spec.name());
        }
        return deletesAllowed;
    }

    @Override
    public Optional<String> objection(TableDefinition spec, TopicStatus status) {
        return Optional.ofNullable(objections.get(spec.name())).filter(text -> !text.isEmpty());
    }

    @Override
    public Piece read(Shard shard, long from, long end) throws PublishException {
        requireUp();
        reading = true;
        if (readsBeforeFailure-- == 0) {
            throw new PublishException("records cannot be read");
        }
        int next = (int) Math.min(end, from + PIECE);
        List<ChangeMessage> read = topic(shard.table()).get(shard.partition()).subList((int) from, next);
        Set<KeyBytes> unreadable = new HashSet<>();
        read.stream().filter(garbage::containsKey).map(garbage::get).forEach(unreadable::add);
        long session = read.stream()
                .mapToLong(message -> expectation(message).session())
                .max()
                .orElse(0);
        return new Piece(
                read.stream().filter(message -> !garbage.containsKey(message)).toList(), unreadable, session, next);
    }

    @Override
    public Optional<Found> first(Shard shard, long offset) throws PublishException {
        requireUp();
        reading = true;
        if (singleReadsBeforeFailure-- == 0) {
            throw new PublishException("a record cannot be read");
        }
        List<ChangeMessage> records = topic(shard.table()).get(shard.partition());
        for (int at = (int) offset; at < records.size(); at++) {
            ChangeMessage there = records.get(at);
            if (!there.equals(COMPACTED)) {
                return Optional.of(new Found(at, Optional.of(there), expectation(there)));
            }
        }
        return Optional.empty();
    }

    private ExpectedPosition expectation(ChangeMessage message) {
        return published.stream()
                .filter(one -> one.message() == message)
                .map(Publication::expectation)
                .reduce((earlier, later) -> later)
                .orElse(ExpectedPosition.NONE);
    }

    @Override
    public void release() {
        reading = false;
    }

    private TopicStatus status(String table) {
        List<Long> ends =
                topic(table).stream().map(records -> (long) records.size()).toList();
        List<Long> starts = Collections.nCopies(ends.size(), curtailed.getOrDefault(table, 0L));
        return new TopicStatus(Objects.requireNonNull(ids.get(table)), starts, ends, Map.of());
    }

    private List<List<ChangeMessage>> topic(String table) {
        return Objects.requireNonNull(topics.get(table), () -> "no topic of table " + table);
    }

    private void requireAllowed(String table) throws TopicRefusedException {
        if (forbidden.contains(table)) {
            throw new TopicRefusedException(table, "not authorized");
        }
    }

    private void requireUp() throws PublishException {
        if (down) {
            throw new PublishException("the log is down");
        }
    }
}
