package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.commit.CommitPoint;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.DigestMark;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.outbox.RelayState.Phase;

/**
 * The one thread that publishes. It looks after the topics, undoes in them what the fact tables have lost, publishes again
 * what they lack, then publishes what is committed, in sequence order, and tells every partition how complete it is.
 *
 * <p>On any error it gives up the producer, waits a little longer each time, looks at the topics afresh, and goes on from
 * the last change before which everything was acknowledged. So changes may be published twice, never left out.
 */
public final class OutboxRelay implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** How often the topics are looked at while all is well, because one may be deleted and made again unnoticed. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(15);

    private static final Duration TOMBSTONE_INTERVAL = Duration.ofSeconds(1);

    private final TopicKeeper keeper;
    private final Republisher republisher;
    private final ChangeRelay changes;
    private final LostTail lostTail;
    private final TombstoneRelay tombstones;
    private final EventPublisher publisher;
    private final Committer committer;
    private final Duration heartbeatInterval;
    private final Clock clock;
    private final RelayStatus status;
    private Instant notBefore = Instant.MIN;
    private Instant nextHeartbeat = Instant.MIN;
    private Instant nextTombstones = Instant.MIN;
    private Instant nextCheck = Instant.MIN;
    private Duration pause = FIRST_PAUSE;
    private boolean troubled;

    /** What the relay works with; the port implementations, for it alone unless they say otherwise. */
    public record Ports(
            FactStore store,
            Outbox outbox,
            Tombstones tombstones,
            TopicLedger ledger,
            ChangeTopics topics,
            TopicTails tails,
            EventPublisher publisher) {}

    /**
     * A relay.
     *
     * @param specs every table that the store holds, those gone from the catalog included
     * @param committer whose changes it publishes
     * @param marks gives the newest mark of the digests, which was made before the frontier came to its place
     */
    public OutboxRelay(
            List<TopicSpec> specs,
            Ports ports,
            Backlog backlog,
            RelayStatus status,
            Committer committer,
            Supplier<Optional<DigestMark>> marks,
            RelaySettings settings,
            Clock clock) {
        this.keeper = new TopicKeeper(specs, ports.topics(), ports.ledger(), ports.tails(), clock);
        this.republisher = new Republisher(ports.store(), ports.outbox(), ports.publisher(), keeper, clock);
        this.lostTail = new LostTail(keeper, ports.ledger(), ports.store(), ports.tails(), committer);
        this.changes = new ChangeRelay(
                ports.outbox(), ports.publisher(), keeper, backlog, new Marks(marks), settings.retainRecords(), clock);
        this.tombstones = new TombstoneRelay(
                ports.store(), ports.outbox(), ports.tombstones(), changes, settings.tombstoneDelay());
        this.publisher = ports.publisher();
        this.status = status;
        this.committer = committer;
        this.heartbeatInterval = settings.heartbeatInterval();
        this.clock = clock;
        admitWrites();
    }

    @Override
    public String roleName() {
        return "relay";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(notBefore)) {
            return 0;
        }
        try {
            return step(now);
        } catch (PublishException e) {
            giveUp(new RelayState(Phase.WAITING, String.valueOf(e.getMessage())), e);
        } catch (TopicRefusedException | OutboxGapException e) {
            giveUp(new RelayState(Phase.REFUSED, String.valueOf(e.getMessage())), e);
        } catch (RuntimeException e) {
            LOGGER.error("Relaying failed", e);
            giveUp(new RelayState(Phase.WAITING, e.toString()), e);
        }
        return 0;
    }

    @Override
    public void onClose() {
        publisher.reset();
    }

    private int step(Instant now)
            throws PublishException, TopicRefusedException, OutboxGapException, InterruptedException {
        switch (status.state().phase()) {
            case PREPARING, WAITING, REFUSED -> {
                prepare(now);
                return 1;
            }
            case UNDOING -> {
                return undo();
            }
            case REPUBLISHING -> {
                republish();
                return 1;
            }
            case RUNNING -> {
                if (now.isBefore(nextCheck)) {
                    return run(now);
                }
                // What goes into a topic must be known to be there before anybody looks at what it lacks.
                changes.drain();
                prepare(now);
                return 1;
            }
        }
        throw new AssertionError("unknown phase: " + status.state());
    }

    private void prepare(Instant now) throws PublishException, TopicRefusedException, InterruptedException {
        List<TopicSpec> lacking = keeper.prepare();
        nextCheck = now.plus(CHECK_INTERVAL);
        if (!lostTail.isSettled()) {
            status.enter(RelayState.of(Phase.UNDOING));
        } else if (lacking.isEmpty()) {
            run();
        } else {
            republisher.begin(lacking);
            status.enter(RelayState.of(Phase.REPUBLISHING));
        }
    }

    private int undo() throws PublishException, InterruptedException {
        boolean done = lostTail.step();
        admitWrites();
        if (!done) {
            return 0;
        }
        if (lostTail.hasLost()) {
            // They count rows that only came with what is published next.
            changes.passMarks();
        }
        lostTail.settle();
        status.enter(RelayState.of(Phase.PREPARING));
        return 1;
    }

    private void admitWrites() {
        if (lostTail.isAnswered()) {
            status.answered();
        }
    }

    private void republish() throws PublishException, InterruptedException {
        TopicSpec spec = republisher.current();
        if (spec == null) {
            // Rows have been published as they are now.
            changes.passMarks();
            run();
        } else if (republisher.step(spec)) {
            keeper.complete(spec);
        }
    }

    private void run() {
        pause = FIRST_PAUSE;
        if (troubled) {
            LOGGER.info("Publishing again");
            troubled = false;
        }
        status.enter(RelayState.of(Phase.RUNNING));
    }

    private int run(Instant now) throws PublishException, OutboxGapException, InterruptedException {
        // Before the outbox is read: whatever is committed up to here will be found there.
        CommitPoint reached = committer.frontier();
        int done = changes.step(reached);
        if (!now.isBefore(nextHeartbeat)) {
            nextHeartbeat = now.plus(heartbeatInterval);
            Optional<Heartbeat> heartbeat = changes.heartbeat(reached);
            if (heartbeat.isPresent()) {
                changes.begin(toEveryPartition(heartbeat.get()));
                done++;
            }
        }
        if (!now.isBefore(nextTombstones)) {
            nextTombstones = now.plus(TOMBSTONE_INTERVAL);
            done += tombstones.step(now, changes.published());
        }
        return done;
    }

    private List<Publication> toEveryPartition(Heartbeat heartbeat) {
        List<Publication> messages = new ArrayList<>();
        for (TopicSpec spec : keeper.specs()) {
            for (int partition = 0; partition < spec.partitions(); partition++) {
                messages.add(new Publication(spec.table(), partition, heartbeat));
            }
        }
        return messages;
    }

    private void giveUp(RelayState state, Exception reason) {
        if (status.state().phase() == state.phase()) {
            LOGGER.debug("Still nothing can be published", reason);
        } else {
            LOGGER.warn("Nothing can be published, trying again until it can: {}", state.detail());
        }
        publisher.reset();
        changes.reset();
        lostTail.startAgain();
        keeper.startAgain();
        troubled = true;
        status.enter(state);
        notBefore = clock.instant().plus(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}
