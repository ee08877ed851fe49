package dev.tidemark.deploy.simulation;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.OwnerSource;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.NotServingException;
import dev.tidemark.worker.query.PeerAnswer;
import dev.tidemark.worker.query.PeerShards;
import dev.tidemark.worker.query.QueryResult;

/**
 * How workers find and reach each other: it may fail, take long, and others go on meanwhile. A question that fails
 * takes all but the last moment of its time, so that nobody waits for a clock that stands still.
 */
final class SimulatedNetwork implements OwnerSource {
    /** What is left after a question in vain: enough to ask anew. */
    static final Duration MOMENT = Duration.ofNanos(20_000);

    private final List<SimulatedWorker> workers;
    private final List<SimulatedGroup> groups;
    private final ManualClock clock;
    private final RandomSource chance;
    private final Rule broken;
    private final Consumer<SimulatedWorker> others;

    /** Answers that come when the next question is sent, or never. */
    private final List<Runnable> late = new ArrayList<>();

    /**
     * A network between workers.
     *
     * @param others lets all but one worker go on
     */
    SimulatedNetwork(
            List<SimulatedWorker> workers,
            List<SimulatedGroup> groups,
            ManualClock clock,
            RandomSource chance,
            Rule broken,
            Consumer<SimulatedWorker> others) {
        this.workers = workers;
        this.groups = groups;
        this.clock = clock;
        this.chance = chance;
        this.broken = broken;
        this.others = others;
    }

    @Override
    public Reading read(Collection<String> tables) {
        if (chance.faultOneIn(8)) {
            throw new IllegalStateException("the brokers do not answer");
        }
        List<Owner> owners =
                groups.stream().flatMap(group -> group.owners(tables).stream()).toList();
        Set<String> live =
                owners.stream().filter(Owner::live).map(Owner::replicaGroup).collect(Collectors.toSet());
        return new Reading(owners, live, true);
    }

    /** Whether there is anybody to ask. */
    boolean isShared() {
        return workers.size() > 1;
    }

    /** What a worker reaches others through. */
    PeerShards seenFrom(SimulatedWorker asking) {
        return (url, part) -> ask(asking, url, part);
    }

    private CompletableFuture<PeerAnswer> ask(SimulatedWorker asking, URI url, IndexQuery part) {
        SimulatedWorker asked = workers.stream()
                .filter(worker -> worker.identity().url().equals(url))
                .findFirst()
                .orElseThrow();
        late.forEach(Runnable::run);
        late.clear();
        if (chance.faultOneIn(8)) {
            others.accept(asking);
        }
        if (chance.faultOneIn(10)) {
            chance.meet(CoveragePoint.A_PEER_WAS_CUT_OFF);
            return inVain(part, new PeerAnswer.Unreachable("cut off"));
        }
        PeerAnswer answer = answer(asked, part);
        meet(asking, asked, part, answer);
        if (chance.faultOneIn(10)) {
            chance.meet(CoveragePoint.A_PEER_WAS_SLOW);
            CompletableFuture<PeerAnswer> slow = new CompletableFuture<>();
            if (chance.oneIn(2)) {
                late.add(() -> slow.complete(answer));
            }
            takeTime(part);
            return slow;
        }
        return answer instanceof PeerAnswer.Found ? CompletableFuture.completedFuture(answer) : inVain(part, answer);
    }

    private CompletableFuture<PeerAnswer> inVain(IndexQuery part, PeerAnswer answer) {
        takeTime(part);
        return CompletableFuture.completedFuture(answer);
    }

    private void takeTime(IndexQuery part) {
        Duration time = part.demand().patience().minus(MOMENT);
        clock.advance(time.isNegative() ? Duration.ZERO : time);
    }

    private void meet(SimulatedWorker asking, SimulatedWorker asked, IndexQuery part, PeerAnswer answer) {
        chance.meet(CoveragePoint.A_PEER_WAS_ASKED);
        if (asking.group() != asked.group()) {
            chance.meet(CoveragePoint.ANOTHER_REPLICA_GROUP_WAS_ASKED);
        }
        if (answer instanceof PeerAnswer.NotHeld) {
            chance.meet(CoveragePoint.A_PEER_REFUSED);
        }
        if (answer instanceof PeerAnswer.Found && !part.demand().versions().isEmpty()) {
            chance.meet(CoveragePoint.A_TOKEN_WAS_HONOURED_BY_A_PEER);
        }
    }

    private PeerAnswer answer(SimulatedWorker asked, IndexQuery part) {
        if (!isKnown(asked, part.index())) {
            return new PeerAnswer.NotServing("the generation is not known");
        }
        try {
            PeerAnswer answer = broken == Rule.A_STALE_ROUTE_IS_REFUSED
                    ? new PeerAnswer.Found(whatIsThere(asked, part))
                    : asked.engine().answerPeer(part);
            return broken == Rule.THE_STALEST_PART_COUNTS && answer instanceof PeerAnswer.Found found
                    ? new PeerAnswer.Found(fresh(found.part()))
                    : answer;
        } catch (NotServingException | LostTokenException | NotAnswerableException e) {
            return new PeerAnswer.NotAnswerable(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The worker looks up what it is asked for by name and number. */
    private static boolean isKnown(SimulatedWorker asked, IndexNames.Found index) {
        return asked
                .definitions()
                .table(index.table().name())
                .flatMap(table -> table.index(index.plan().name()))
                .stream()
                .flatMap(plan -> plan.generations().stream())
                .anyMatch(generation -> generation.id() == index.generation().id());
    }

    private static QueryResult whatIsThere(SimulatedWorker asked, IndexQuery part)
            throws NotServingException, LostTokenException, NotAnswerableException, InterruptedException {
        QueryResult some = asked.engine()
                .answer(new IndexQuery(
                        part.index(),
                        part.partitions(),
                        part.range(),
                        part.order(),
                        part.after(),
                        part.limit(),
                        false,
                        true,
                        part.demand()));
        Freshness told = some.freshness();
        return with(
                some,
                new Freshness(
                        told.completeUpTo(),
                        told.staleness(),
                        told.state(),
                        List.of(),
                        told.quarantined(),
                        told.refused()));
    }

    private QueryResult fresh(QueryResult part) {
        Freshness told = part.freshness();
        Optional<Instant> now = Optional.of(clock.instant());
        return with(
                part,
                new Freshness(
                        now,
                        Optional.of(Duration.ZERO),
                        told.state(),
                        told.missingPartitions(),
                        told.quarantined(),
                        told.refused()));
    }

    private static QueryResult with(QueryResult part, Freshness freshness) {
        return new QueryResult(
                part.entries(), part.next(), part.rows(), new TreeMap<>(part.through()), freshness, part.room());
    }
}
