package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.ChangeTopic;

/** Sees to it that every table has a topic that can be used, and keeps the ledger. For the relay alone. */
final class TopicKeeper {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicKeeper.class);

    /** Long enough for a consumer to miss its partitions, so that it takes none of the new ones for those that it knew. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private final List<TopicSpec> specs;
    private final ChangeTopics topics;
    private final TopicLedger ledger;
    private final TopicTails tails;
    private final Clock clock;
    private final Map<String, Instant> goneSince = new HashMap<>();
    private final Set<String> unwhole = new HashSet<>();
    private final Map<EventPublisher.Shard, Long> latestEnds = new HashMap<>();
    private final Map<EventPublisher.Shard, Integer> underWay = new HashMap<>();
    private final Map<TopicSpec, List<Long>> foundEnds = new LinkedHashMap<>();

    /** Records may have been appended that were not acknowledged, and may stand where acknowledged ones were lost. */
    private boolean unsure = true;

    TopicKeeper(List<TopicSpec> specs, ChangeTopics topics, TopicLedger ledger, TopicTails tails, Clock clock) {
        this.specs = List.copyOf(specs);
        this.topics = topics;
        this.ledger = ledger;
        this.tails = tails;
        this.clock = clock;
    }

    List<TopicSpec> specs() {
        return specs;
    }

    /**
     * Checks every topic, makes those that are absent, deletes those that have lost their oldest records, so that they are absent
     * next time, and notes those that lack something.
     *
     * @return the tables whose topics lack something
     * @throws PublishException also while a topic that was there is gone, until who reads it must have noticed
     */
    List<TopicSpec> prepare() throws PublishException, TopicRefusedException, InterruptedException {
        List<TopicSpec> lacking = new ArrayList<>();
        foundEnds.clear();
        for (TopicSpec spec : specs) {
            Optional<TopicRecord> known = ledger.find(spec.table());
            Optional<TopicStatus> found = topics.find(spec);
            TopicStatus status = found.isPresent() ? found.get() : make(spec, known);
            goneSince.remove(spec.table());
            requireUsable(spec, status, known);
            requireWhole(spec, status);
            found(spec, status.endOffsets());
            if (TopicCheck.verdict(status, known) == TopicCheck.Verdict.LACKING || isOverwritten(spec, known)) {
                if (known.isPresent()) {
                    LOGGER.warn("The topic of table {} has lost records; publishing again what it lacks", spec.table());
                }
                ledger.save(spec.table(), TopicRecord.lacking(status.id()), true);
                lacking.add(spec);
            }
        }
        unsure = false;
        tails.release();
        return lacking;
    }

    /** The publisher was reset: what was sent and not acknowledged may have been appended. */
    void startAgain() {
        unsure = true;
    }

    private void found(TopicSpec spec, List<Long> ends) {
        foundEnds.put(spec, ends);
        nothingUnderWay();
        for (int partition = 0; partition < spec.partitions(); partition++) {
            latestEnds.put(new EventPublisher.Shard(spec.table(), partition), ends.get(partition));
        }
    }

    /**
     * Whether something else stands where the last acknowledged change of a partition was: the log lost it, and took records
     * after that which it did not acknowledge, so that ends alone do not tell.
     */
    private boolean isOverwritten(TopicSpec spec, Optional<TopicRecord> known)
            throws PublishException, InterruptedException {
        if (unsure && known.isPresent()) {
            for (Map.Entry<Integer, Long> last : known.get().lasts().entrySet()) {
                long offset = known.get().ends().getOrDefault(last.getKey(), 1L) - 1;
                if (tails.holdsAnother(spec, last.getKey(), offset, last.getValue())) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Has a topic made anew that has lost its oldest records: workers that had not read them, and indexes built from now on, would
     * never get the rows of which nothing was written since.
     */
    private void requireWhole(TopicSpec spec, TopicStatus status) throws PublishException, InterruptedException {
        if (!status.hasLostItsOldest()) {
            unwhole.remove(spec.table());
            return;
        }
        String topic = ChangeTopic.nameFor(spec.table());
        if (topics.delete(spec, status)) {
            LOGGER.warn("Topic {} has lost its oldest records; it is made anew, and every row published again", topic);
            throw new PublishException("topic " + topic + " had lost its oldest records, and is made anew");
        }
        if (unwhole.add(spec.table())) {
            LOGGER.warn(
                    "Topic {} has lost its oldest records, and this writer may not delete it. Delete it, or allow the writer"
                            + " to: it is made anew then, and every row published again",
                    topic);
        }
    }

    private TopicStatus make(TopicSpec spec, Optional<TopicRecord> known)
            throws PublishException, InterruptedException {
        Instant now = clock.instant();
        Instant since = goneSince.computeIfAbsent(spec.table(), table -> now);
        if (known.isPresent() && now.isBefore(since.plus(NOTICED))) {
            throw new PublishException("topic " + ChangeTopic.nameFor(spec.table()) + " is gone; it is made anew after "
                    + NOTICED.toSeconds() + " s, so that workers notice");
        }
        return topics.create(spec);
    }

    /**
     * The records of all partitions, up to where the last look found their ends.
     *
     * @param unknown only those after the last change that was acknowledged and noted
     */
    List<TopicStretch> stretches(boolean unknown) {
        List<TopicStretch> stretches = new ArrayList<>();
        foundEnds.forEach((spec, ends) -> {
            Map<Integer, Long> known =
                    ledger.find(spec.table()).map(TopicRecord::ends).orElse(Map.of());
            for (int partition = 0; partition < spec.partitions(); partition++) {
                long from = unknown ? known.getOrDefault(partition, 0L) : 0;
                TopicStretch stretch = new TopicStretch(spec, partition, from, ends.get(partition));
                if (!stretch.isEmpty()) {
                    stretches.add(stretch);
                }
            }
        });
        return stretches;
    }

    /** Notes that a topic lacks nothing any more. */
    void complete(TopicSpec spec) {
        ledger.find(spec.table()).ifPresent(topic -> ledger.save(spec.table(), topic.asWhole(), true));
    }

    /**
     * Notes how far acknowledged changes go.
     *
     * @throws PublishException as {@link #seen}
     */
    void acknowledged(Appended changes) throws PublishException {
        seen(changes);
        Map<String, Noted> byTable = new TreeMap<>();
        changes.forEach((shard, part) ->
                byTable.computeIfAbsent(shard.table(), table -> new Noted()).add(shard.partition(), part));
        byTable.forEach((table, noted) ->
                ledger.find(table).ifPresent(topic -> ledger.save(table, topic.with(noted.ends, noted.lasts), false)));
    }

    /** What is to be noted of one topic. */
    private static final class Noted {
        private final Map<Integer, Long> ends = new TreeMap<>();
        private final Map<Integer, Long> lasts = new TreeMap<>();

        void add(int partition, Appended.Part part) {
            if (part.last() instanceof ChangeEvent change) {
                ends.put(partition, part.end());
                lasts.put(partition, change.version().sequence());
            }
        }
    }

    /** The same messages with the offsets that they will have, after those that are under way already. */
    List<Publication> expecting(List<Publication> messages) {
        List<Publication> expected = new ArrayList<>(messages.size());
        for (Publication message : messages) {
            EventPublisher.Shard shard = message.shard();
            int before = underWay.merge(shard, 1, Integer::sum) - 1;
            expected.add(message.expectedAt(latestEnds.getOrDefault(shard, 0L) + before));
        }
        return expected;
    }

    /** All that {@link #expecting} gave out is acknowledged, or given up. */
    void nothingUnderWay() {
        underWay.clear();
    }

    /**
     * Looks at where acknowledged records stand.
     *
     * @throws PublishException when they do not come after those before them, which means that the topic has lost records or is
     *     another one; where changes are among those it is noted to lack them
     */
    void seen(Appended appended) throws PublishException {
        List<String> losses = new ArrayList<>();
        appended.forEach((shard, part) -> {
            underWay.computeIfPresent(shard, (same, count) -> Math.max(0, count - part.messages()));
            for (OffsetRange range : part.ranges()) {
                Long before = latestEnds.put(shard, range.end());
                if (before != null && range.first() < before) {
                    lost(shard, range.first());
                    losses.add("topic " + ChangeTopic.nameFor(shard.table()) + " has lost records: partition "
                            + shard.partition() + " ended at " + before + " and goes on from " + range.first());
                }
            }
        });
        if (!losses.isEmpty()) {
            throw new PublishException(String.join("; ", losses));
        }
    }

    /** A partition has lost its records from an offset on, which does no harm where those were heartbeats. */
    private void lost(EventPublisher.Shard shard, long first) {
        ledger.find(shard.table())
                .filter(topic -> first < topic.ends().getOrDefault(shard.partition(), 0L))
                .ifPresent(topic -> ledger.save(shard.table(), TopicRecord.lacking(topic.id()), true));
    }

    private void requireUsable(TopicSpec spec, TopicStatus status, Optional<TopicRecord> known)
            throws TopicRefusedException {
        Optional<String> objection = TopicCheck.refusal(spec, status, known).or(() -> topics.objection(spec, status));
        if (objection.isPresent()) {
            throw new TopicRefusedException(ChangeTopic.nameFor(spec.table()), objection.get());
        }
    }
}
