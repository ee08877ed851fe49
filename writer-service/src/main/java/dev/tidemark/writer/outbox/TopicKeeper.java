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

import dev.tidemark.change.ChangeTopic;

/** Sees to it that every table has a topic that can be used, and keeps the ledger. For the relay alone. */
final class TopicKeeper {
    private static final Logger LOGGER = LoggerFactory.getLogger(TopicKeeper.class);

    /** Long enough for a consumer to miss its partitions, so that it takes none of the new ones for those that it knew. */
    private static final Duration NOTICED = Duration.ofSeconds(2);

    private final List<TopicSpec> specs;
    private final ChangeTopics topics;
    private final TopicLedger ledger;
    private final Clock clock;
    private final Map<String, Instant> goneSince = new HashMap<>();
    private final Set<String> unwhole = new HashSet<>();
    private final Map<EventPublisher.Shard, Long> latestEnds = new HashMap<>();
    private final Map<TopicSpec, List<Long>> foundEnds = new LinkedHashMap<>();

    TopicKeeper(List<TopicSpec> specs, ChangeTopics topics, TopicLedger ledger, Clock clock) {
        this.specs = List.copyOf(specs);
        this.topics = topics;
        this.ledger = ledger;
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
        latestEnds.clear();
        foundEnds.clear();
        for (TopicSpec spec : specs) {
            Optional<TopicRecord> known = ledger.find(spec.table());
            Optional<TopicStatus> found = topics.find(spec);
            TopicStatus status = found.isPresent() ? found.get() : make(spec, known);
            goneSince.remove(spec.table());
            requireUsable(spec, status, known);
            requireWhole(spec, status);
            foundEnds.put(spec, status.endOffsets());
            if (TopicCheck.verdict(status, known) == TopicCheck.Verdict.LACKING) {
                if (known.isPresent()) {
                    LOGGER.warn("The topic of table {} has lost records; publishing again what it lacks", spec.table());
                }
                ledger.save(spec.table(), new TopicRecord(status.id(), false, Map.of()), true);
                lacking.add(spec);
            }
        }
        return lacking;
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
    void acknowledged(Map<EventPublisher.Shard, Long> ends) throws PublishException {
        seen(ends);
        Map<String, Map<Integer, Long>> byTable = new TreeMap<>();
        ends.forEach((shard, end) ->
                byTable.computeIfAbsent(shard.table(), table -> new TreeMap<>()).put(shard.partition(), end));
        byTable.forEach((table, ofTable) ->
                ledger.find(table).ifPresent(topic -> ledger.save(table, topic.withEnds(ofTable), false)));
    }

    /**
     * Looks at where acknowledged records ended up.
     *
     * @throws PublishException when a topic has become shorter, which means that it has lost records or is another one
     */
    void seen(Map<EventPublisher.Shard, Long> ends) throws PublishException {
        for (Map.Entry<EventPublisher.Shard, Long> now : ends.entrySet()) {
            Long before = latestEnds.put(now.getKey(), now.getValue());
            if (before != null && now.getValue() <= before) {
                throw new PublishException(
                        "topic " + ChangeTopic.nameFor(now.getKey().table())
                                + " has lost records: partition " + now.getKey().partition() + " ended at " + before
                                + " and now at " + now.getValue());
            }
        }
    }

    private void requireUsable(TopicSpec spec, TopicStatus status, Optional<TopicRecord> known)
            throws TopicRefusedException {
        Optional<String> objection = TopicCheck.refusal(spec, status, known).or(() -> topics.objection(spec, status));
        if (objection.isPresent()) {
            throw new TopicRefusedException(ChangeTopic.nameFor(spec.table()), objection.get());
        }
    }
}
