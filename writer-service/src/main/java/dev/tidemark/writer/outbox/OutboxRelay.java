package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.Heartbeat;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.DigestCheckpoint;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.outbox.RelayState.Phase;

/**
 * The one thread that publishes. It maintains the topics, undoes in them what the fact tables have lost, and
 * republishes what they lack. It publishes committed changes in sequence order, and sends heartbeats to every
 * partition.
 *
 * <p>An error of one topic holds its table alone. On any other error the relay gives up the producer and waits a little
 * longer each time. It then has the topics inspected again, and continues from the last change before which everything
 * was acknowledged. So changes may be published twice, never left out.
 */
public final class OutboxRelay implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(OutboxRelay.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final Duration TOMBSTONE_INTERVAL = Duration.ofSeconds(1);

    private final TopicReconciler keeper;
    private final TopicMaintenance care;
    private final HeldTables held;
    private final InFlightPages pages;
    private final StrayRecords strays;
    private final Republisher republisher;
    private final ChangeRelay changes;
    private final LostWriteRecovery lostWriteRecovery;
    private final TombstoneRelay tombstones;
    private final DismissalRelay dismissals;
    private final Committer committer;
    private final Leadership leadership;
    private final Duration heartbeatInterval;
    private final Clock clock;
    private final RelayStatus status;
    private Instant notBefore = Instant.MIN;
    private Instant nextHeartbeat = Instant.MIN;
    private Instant nextTombstones = Instant.MIN;
    private Duration pause = FIRST_PAUSE;
    private boolean troubled;
    private boolean isPublishing;
    private long finished;

    /** The ports of the relay. The relay alone uses their implementations, unless those are documented otherwise. */
    public record Ports(
            FactStore store,
            Outbox outbox,
            Tombstones tombstones,
            TopicLedger ledger,
            TopicInspector looks,
            TopicTailReader tails,
            EventPublisher publisher,
            Leadership leadership) {}

    /**
     * A relay.
     *
     * @param specs every table that the store holds
     * @param isInCatalog whether a table is in the catalog; those that are not are left alone
     * @param definitions those in force, for their global indexes
     * @param committer whose changes it publishes
     * @param marks supplies the newest digest checkpoint, which was made before the frontier came to its position
     * @param sources how far the sources of tables are
     * @param memory for messages under way to the log
     */
    public OutboxRelay(
            List<TableDefinition> specs,
            Predicate<String> isInCatalog,
            Supplier<Definitions> definitions,
            Ports ports,
            Backlog backlog,
            RelayStatus status,
            Committer committer,
            Supplier<Optional<DigestCheckpoint>> marks,
            SourceWatermarks sources,
            MemoryBudget.Part memory,
            RelaySettings settings,
            Clock clock) {
        AcknowledgedEnds ends = new AcknowledgedEnds();
        DerivedTables derived = new DerivedTables(definitions, committer::placedIn, ports.store());
        this.keeper = new TopicReconciler(
                Stream.concat(specs.stream(), derived.specs().stream()).toList(),
                ports.ledger(),
                ports.tails(),
                () -> committer.frontier().version(),
                this::published,
                clock);
        this.held = new HeldTables(specs.size(), status);
        this.strays = new StrayRecords(
                keeper, ports.tails(), derived, ports.tombstones(), committer, this::begun, this::published);
        this.pages = new InFlightPages(
                ports.publisher(),
                keeper,
                this::nextSession,
                ends,
                strays,
                held,
                sources,
                this::isWhole,
                settings.derivedPatience(),
                clock);
        this.changes = new ChangeRelay(
                ports.outbox(),
                keeper,
                held,
                pages,
                derived,
                backlog,
                new DigestCheckpoints(marks),
                memory,
                settings.retainRecords(),
                this::recoveryEpoch,
                clock);
        this.republisher = new Republisher(ports, changes, held, keeper, derived, clock);
        this.care = new TopicMaintenance(
                keeper,
                ports.looks(),
                pages,
                ends,
                held,
                republisher,
                strays,
                isInCatalog,
                derived,
                settings.derivedPatience());
        this.leadership = ports.leadership();
        this.lostWriteRecovery = new LostWriteRecovery(keeper, ports, derived, committer, changes::published, clock);
        this.tombstones = new TombstoneRelay(
                derived, ports.outbox(), ports.tombstones(), changes, held, keeper, settings.tombstoneDelay());
        this.dismissals = new DismissalRelay(derived, ports.outbox(), changes);
        this.status = status;
        this.committer = committer;
        this.heartbeatInterval = settings.heartbeatInterval();
        this.clock = clock;
        admitWrites();
    }

    /** Has what is in quarantine dismissed; for any thread. */
    public Dismissals dismissals() {
        return dismissals;
    }

    @Override
    public String roleName() {
        return "relay";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (!leadership.isHeld()) {
            return stepAside();
        }
        if (now.isBefore(notBefore)) {
            return 0;
        }
        try {
            return step(now);
        } catch (PublishException e) {
            giveUp(new RelayState(Phase.WAITING, String.valueOf(e.getMessage())), e);
        } catch (OutboxGapException e) {
            giveUp(new RelayState(Phase.REFUSED, String.valueOf(e.getMessage())), e);
        } catch (RuntimeException e) {
            LOGGER.error("Relaying failed", e);
            giveUp(new RelayState(Phase.WAITING, e.toString()), e);
        }
        return 0;
    }

    @Override
    public void onClose() {
        pages.close();
        dismissals.reset();
    }

    private long begun() {
        return changes.begun();
    }

    private long nextSession() {
        return lostWriteRecovery.nextSession();
    }

    private long recoveryEpoch() {
        return lostWriteRecovery.recoveryEpoch();
    }

    private long published() {
        return changes.published();
    }

    /** Another writer publishes, or may: what is under way is given up, and nothing is sent. */
    private int stepAside() {
        if (isPublishing) {
            pages.close();
            isPublishing = false;
        }
        dismissals.reset();
        return 0;
    }

    private int step(Instant now) throws PublishException, OutboxGapException, InterruptedException {
        isPublishing = true;
        int done = care.step(now) ? 1 : 0;
        if (!care.isReady(lostWriteRecovery.isSettled())) {
            care.obstacle().ifPresent(reason -> status.enter(new RelayState(Phase.WAITING, reason)));
            return done;
        }
        if (!lostWriteRecovery.isSettled()) {
            status.enter(RelayState.of(Phase.UNDOING));
            done += lostWriteRecovery.isAnswered() ? 0 : care.giveUpUnseen();
            done += undo();
            if (!lostWriteRecovery.isAnswered()) {
                // Nothing is published while that question is open.
                return done;
            }
        }
        if (lostWriteRecovery.isSettled()) {
            enterRunning();
        }
        return done + strays.step() + republish() + run(now);
    }

    private int undo() throws PublishException, InterruptedException {
        boolean done = lostWriteRecovery.step();
        admitWrites();
        if (!done) {
            return 0;
        }
        lostWriteRecovery.settle();
        return 1;
    }

    private void admitWrites() {
        if (lostWriteRecovery.isAnswered()) {
            status.answered();
        }
    }

    private int republish() throws PublishException, InterruptedException {
        long before = republisher.pieces();
        Optional<TableDefinition> sent = republisher.step();
        if (sent.isPresent()) {
            // Rows have been published as they are now, and checkpoints made before do not count those.
            changes.dropCheckpoints();
            held.release(sent.get().name());
        }
        return (int) (republisher.pieces() - before);
    }

    private void enterRunning() {
        pause = FIRST_PAUSE;
        if (troubled) {
            LOGGER.info("Publishing again");
            troubled = false;
        }
        status.enter(RelayState.of(Phase.RUNNING));
    }

    private int run(Instant now) throws PublishException, OutboxGapException, InterruptedException {
        // Before the outbox is read: it then contains every change committed up to here.
        CommitPosition reached = committer.frontier();
        if (!leadership.isHeld()) {
            // Lost since this step began, and the frontier may be past a commit that failed and that a restart brings.
            return stepAside();
        }
        int done = changes.step(reached, this::complete);
        if (!now.isBefore(nextHeartbeat) || republisher.finished() > finished) {
            done += tell(reached, now);
        }
        if (tombstones.isBusy() || !now.isBefore(nextTombstones)) {
            nextTombstones = now.plus(TOMBSTONE_INTERVAL);
            done += tombstones.step(now, changes.published());
        }
        return done + dismissals.step(reached, this::complete);
    }

    private int tell(CommitPosition reached, Instant now) throws PublishException, InterruptedException {
        List<TableDefinition> told = complete();
        Optional<Heartbeat> heartbeat = changes.heartbeat(reached);
        if (told.isEmpty() || heartbeat.isEmpty()) {
            return 0;
        }
        finished = republisher.finished();
        nextHeartbeat = now.plus(heartbeatInterval);
        changes.begin(Publication.heartbeats(told, shard -> heartbeat));
        return 1;
    }

    /** The tables whose topics hold all that is published: their partitions may receive heartbeats. */
    private List<TableDefinition> complete() {
        return keeper.specs().stream()
                .filter(spec ->
                        !held.isHeld(spec.name()) && !republisher.isFinishing(spec.name()) && isWhole(spec.name()))
                .toList();
    }

    /** Whether a topic holds no stray record, and recovery has nothing left to do for its table. */
    private boolean isWhole(String table) {
        return strays.isClean(table) && lostWriteRecovery.isUndone(table);
    }

    private void giveUp(RelayState state, Exception reason) {
        if (status.state().phase() == state.phase()) {
            LOGGER.debug("Still nothing can be published", reason);
        } else {
            LOGGER.warn("Nothing can be published, trying again until it can: {}", state.detail());
        }
        changes.reset();
        tombstones.reset();
        dismissals.reset();
        republisher.clear();
        lostWriteRecovery.startAgain();
        care.startAgain(strays.startAgain());
        troubled = true;
        status.enter(state);
        notBefore = clock.instant().plus(pause);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}
