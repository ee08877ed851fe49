package dev.tidemark.deploy.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ExpectedPosition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.outbox.AppendedOffsets;
import dev.tidemark.writer.outbox.EventPublisher.Shard;
import dev.tidemark.writer.outbox.Publication;
import dev.tidemark.writer.outbox.PublishException;

/**
 * Appends to the simulated topics as an idempotent producer does, badly. Messages are under way for a while, those of
 * one partition in their order. A message may fail, and be appended all the same; those behind it in its partition fail
 * too or take another epoch of the producer and are appended, and other partitions go on. The process may end at any
 * message. Where the log has lost records the producer takes another epoch of its own and goes on at the end that it
 * finds, and nothing fails.
 */
final class SimulatedPublisher extends WaitingPublisher {
    private final SimulatedTopics topics;
    private final ManualClock clock;
    private final RandomSource chance;
    private final Deque<Underway> underWay = new ArrayDeque<>();
    private final Set<Shard> failing = new HashSet<>();
    private boolean broken;
    private int losses;

    SimulatedPublisher(SimulatedTopics topics, ManualClock clock, RandomSource chance) {
        this.topics = topics;
        this.clock = clock;
        this.chance = chance;
    }

    @Override
    AppendedOffsets publish(List<Publication> messages) throws PublishException {
        return send(messages).appended();
    }

    @Override
    public Sending begin(List<Publication> messages) {
        return send(messages);
    }

    private Underway send(List<Publication> messages) {
        if (broken) {
            throw new AssertionError("published without a reset after a failure");
        }
        chance.failpoint(CoveragePoint.BEFORE_SENDING);
        topics.deliverLate(false);
        Underway sending = new Underway(messages);
        if (!underWay.isEmpty()) {
            chance.meet(CoveragePoint.TWO_PAGES_UNDER_WAY);
        }
        underWay.add(sending);
        sending.addUntold(1);
        return sending;
    }

    @Override
    public void reset() {
        abandon();
        broken = false;
        failing.clear();
    }

    /**
     * What a closed producer, or a process that ended, has handed to the network may reach the broker after what the
     * next one sends. The broker takes nothing of which it lacks what came before.
     */
    void abandon() {
        if (chance.oneIn(2)) {
            comeLate(underWay.stream()
                    .flatMap(sending -> sending.waiting.stream())
                    .filter(message -> !failing.contains(shard(message)))
                    .toList());
        }
        underWay.forEach(sending -> sending.addUntold(-1));
        underWay.clear();
    }

    /** The machine was suspended for longer than a connection lives: what was under way fails, and never comes. */
    void disconnect() {
        underWay.forEach(Underway::fail);
    }

    /** Whether no message is under way. */
    boolean isSilent() {
        return underWay.isEmpty();
    }

    /** A broker that has lost records is likely to be in trouble still when the next ones come. */
    private int faultsOneIn() {
        boolean lost = losses != topics.losses();
        losses = topics.losses();
        return lost ? 2 : 8;
    }

    /** Messages come late, if they come. */
    private void comeLate(List<Publication> messages) {
        for (Publication message : messages) {
            SimulatedLog log = topics.of(message.table());
            log.comeLate(new SimulatedLog.Late(log.topicId(), message.partition(), record(message), clock.instant()));
        }
    }

    private static Shard shard(Publication message) {
        return new Shard(message.table(), message.partition());
    }

    private static WireRecord record(Publication message) {
        WireRecord plain = new ChangeCodec(message.table()).encode(message.message());
        Map<String, String> headers = new HashMap<>(plain.headers());
        headers.put(ExpectedPosition.HEADER, message.expectation().text());
        message.source().ifPresent(name -> headers.put(ChangeCodec.ROW_SOURCE, name));
        return new WireRecord(plain.key(), plain.value(), headers);
    }

    /** Messages that were begun at once. Whether one of them fails is decided then. */
    private final class Underway implements Sending {
        private final List<Publication> messages;
        private final Deque<Publication> waiting;
        private final AppendedOffsets appended = new AppendedOffsets();
        private final int fate;
        private boolean hasFailed;

        Underway(List<Publication> messages) {
            this.messages = List.copyOf(messages);
            this.waiting = new ArrayDeque<>(messages);
            this.fate = chance.faultOneIn(faultsOneIn()) ? chance.below(messages.size() + 1) : -1;
        }

        @Override
        public boolean isDone() {
            if (!waiting.isEmpty() && chance.oneIn(2)) {
                finish(chance.hasFaults() ? chance.below(waiting.size() + 1) : 0);
            }
            return waiting.isEmpty();
        }

        @Override
        public AppendedOffsets appended() throws PublishException {
            finish(0);
            if (underWay.remove(this)) {
                addUntold(-1);
            }
            if (hasFailed) {
                broken = true;
                throw new PublishException("simulated failure while sending");
            }
            chance.failpoint(CoveragePoint.AFTER_SENDING);
            return appended;
        }

        /** Each is one more, or one less, of which the writer does not know. */
        private void addUntold(int more) {
            messages.forEach(message -> topics.of(message.table()).addUntold(more));
        }

        private void fail() {
            hasFailed = true;
            waiting.clear();
        }

        /** Goes on until so many messages wait, once those that were begun before are through. */
        private void finish(int left) {
            for (Underway before : new ArrayList<>(underWay)) {
                if (before == this) {
                    break;
                }
                before.goOn(0);
            }
            goOn(left);
        }

        private void goOn(int left) {
            while (waiting.size() > left) {
                boolean isFate = fate > 0 && waiting.size() == fate;
                pass(waiting.remove(), isFate);
                chance.failpoint(CoveragePoint.WHILE_SENDING);
            }
            if (left == 0 && fate == 0) {
                lose();
            }
        }

        private void pass(Publication message, boolean isFate) {
            boolean behindFailure = failing.contains(shard(message));
            if (isFate) {
                chance.meet(CoveragePoint.A_SENDING_FAILED);
                hasFailed = true;
                failing.add(shard(message));
                if (chance.oneIn(2)) {
                    comeLate(List.of(message));
                }
            } else if (behindFailure && chance.oneIn(2)) {
                hasFailed = true;
            } else {
                if (behindFailure) {
                    chance.meet(CoveragePoint.LATER_RECORDS_CAME_WITHOUT_EARLIER_ONES);
                    topics.of(message.table())
                            .fence(message.partition(), message.expectation().session());
                } else if (hasFailed) {
                    chance.meet(CoveragePoint.ONE_PARTITION_FAILED_AND_ANOTHER_DID_NOT);
                }
                append(message);
            }
        }

        /** All are appended, and nobody says so. */
        private void lose() {
            chance.meet(CoveragePoint.AN_ACKNOWLEDGEMENT_WAS_LOST);
            hasFailed = true;
        }

        private void append(Publication message) {
            SimulatedPartition partition = topics.partition(message.table(), message.partition());
            appended.add(message, partition.endOffset());
            partition.append(record(message), clock.instant());
        }
    }
}
