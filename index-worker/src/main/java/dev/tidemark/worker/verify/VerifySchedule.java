package dev.tidemark.worker.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.verify.VerifyRequest.Mode;

/**
 * Selects what to compare next without an order. A generation that was compared is not selected again for the same
 * reason before its time. If that gave no result, everything else that is due comes first: tables that cannot be
 * compared for a long time, such as paused ones, must not hold up the others. Belongs to one thread.
 */
final class VerifySchedule {
    /** How long shards that are whole wait for the others, to be proven in the same pass. */
    private static final Duration TOGETHER = Duration.ofSeconds(5);

    private final Shards shards;
    private final Duration interval;
    private final Map<Attempt, Instant> notBefore = new HashMap<>();

    /** Those that gave no result, since something was last selected among all that is due. */
    private final Set<Attempt> failed = new HashSet<>();

    /** By generation: since when it waits to be proven. */
    private final Map<Long, Instant> waiting = new HashMap<>();

    /** By shard: the time of the heartbeat when it was first seen to differ. */
    private final Map<Place, Instant> differing = new HashMap<>();

    private Instant nextTurn;
    private int turns;

    /** Why something is compared; the first reason comes first. */
    enum Reason {
        /** Generations wait to be proven equal to their table. A shard records a result a little later. */
        UNPROVEN(Mode.PROOF, Duration.ofMillis(200), Duration.ofSeconds(2)),

        /**
         * The digest of a generation differs from that of its table, so the rows are compared and named. A row in
         * quarantine makes digests differ too, and may hide that others do.
         */
        DIFFERENT(Mode.FULL, Duration.ofMinutes(10), Duration.ofMinutes(10)),

        /**
         * A generation was found to differ, and its digests have come to be equal since: what was wrong was
         * overwritten, or the table had gone back in time and its indexes had not followed yet. Equal digests alone do
         * not prove it.
         */
        EQUAL_AGAIN(Mode.FULL, Duration.ofMinutes(10), Duration.ofSeconds(2)),

        /** Each table has its turn, one after the other. */
        TURN(Mode.QUICK, Duration.ZERO, Duration.ZERO);

        private final Mode mode;
        private final Duration afterResult;
        private final Duration afterFailure;

        Reason(Mode mode, Duration afterResult, Duration afterFailure) {
            this.mode = mode;
            this.afterResult = afterResult;
            this.afterFailure = afterFailure;
        }
    }

    /** Generations of one table, and the shards to compare them in; only a turn may have none. */
    record Due(Reason reason, VerifyRequest request, List<OpenShard> shards) {}

    /** A generation that was compared for a reason. */
    private record Attempt(Reason reason, long generation) {}

    /** A generation in a shard. */
    private record Place(long generation, int partition) {}

    /**
     * A schedule that has selected nothing yet.
     *
     * @param interval the time between the turns of two tables; zero for no turns
     */
    VerifySchedule(Shards shards, Duration interval, Instant now) {
        this.shards = shards;
        this.interval = interval;
        this.nextTurn = now.plus(interval);
    }

    /** What to compare next; empty when nothing is due. */
    Optional<Due> next(Instant now) {
        notBefore.values().removeIf(until -> !now.isBefore(until));
        Set<Long> present = shards.definitions().numbers();
        differing.keySet().removeIf(place -> !present.contains(place.generation()));
        Optional<Due> due = first(now);
        if (due.isPresent() || failed.isEmpty()) {
            return due;
        }
        failed.clear();
        return first(now);
    }

    private Optional<Due> first(Instant now) {
        return Stream.of(Reason.values())
                .flatMap(reason -> next(reason, now).stream())
                .findFirst();
    }

    /** Records an attempt, and whether it gave a result. */
    void attempted(Due due, boolean decided, Instant now) {
        Reason reason = due.reason();
        Instant until = now.plus(decided ? reason.afterResult : reason.afterFailure);
        for (Generation generation : due.request().generations()) {
            Attempt attempt = new Attempt(reason, generation.id());
            notBefore.put(attempt, until);
            if (!decided) {
                failed.add(attempt);
            }
        }
        if (reason == Reason.TURN) {
            nextTurn = now.plus(interval);
        }
    }

    /** How many generations are left alone now, each counted once for each reason. */
    int resting() {
        return notBefore.size();
    }

    private Optional<Due> next(Reason reason, Instant now) {
        return switch (reason) {
            case UNPROVEN -> first(table -> unproven(table, now));
            case DIFFERENT -> first(table -> selected(table, reason, VerifySchedule::differs));
            case EQUAL_AGAIN -> first(table -> selected(table, reason, this::isEqualAgain));
            case TURN -> turn(now);
        };
    }

    private Optional<Due> first(Function<DesiredTable, Optional<Due>> due) {
        return shards.definitions().tables().stream()
                .flatMap(table -> due.apply(table).stream())
                .findFirst();
    }

    private static Due due(Reason reason, DesiredTable table, List<Generation> generations, List<OpenShard> shards) {
        return new Due(reason, new VerifyRequest(table.definition(), generations, reason.mode), shards);
    }

    private boolean isResting(Reason reason, Generation generation) {
        Attempt attempt = new Attempt(reason, generation.id());
        return notBefore.containsKey(attempt) || failed.contains(attempt);
    }

    private Optional<Due> unproven(DesiredTable table, Instant now) {
        List<OpenShard> held = shards.of(table.definition());
        if (table.generations().stream().anyMatch(generation -> isResting(Reason.UNPROVEN, generation))) {
            return Optional.empty();
        }
        for (Generation generation : table.generations()) {
            List<OpenShard> whole =
                    held.stream().filter(shard -> isUnproven(shard, generation)).toList();
            if (whole.isEmpty()) {
                waiting.remove(generation.id());
                continue;
            }
            Instant since = waiting.computeIfAbsent(generation.id(), id -> now);
            boolean othersCome = held.stream()
                    .anyMatch(shard -> is(
                            shard,
                            generation,
                            state -> state instanceof GenerationState.Building
                                    || state instanceof GenerationState.Rebuilding));
            if (!othersCome || Duration.between(since, now).compareTo(TOGETHER) >= 0) {
                List<Generation> together = table.generations().stream()
                        .filter(other -> whole.stream().allMatch(shard -> isUnproven(shard, other)))
                        .toList();
                return Optional.of(due(Reason.UNPROVEN, table, together, whole));
            }
        }
        return Optional.empty();
    }

    private static boolean isUnproven(OpenShard shard, Generation generation) {
        return is(shard, generation, state -> state instanceof GenerationState.Verifying);
    }

    private Optional<Due> selected(
            DesiredTable table, Reason reason, BiPredicate<Generation, List<OpenShard>> selected) {
        List<OpenShard> held = shards.of(table.definition());
        List<Generation> generations = whole(table, Optional.empty()).stream()
                .filter(generation -> selected.test(generation, held))
                .filter(generation -> !isResting(reason, generation))
                .toList();
        return generations.isEmpty() ? Optional.empty() : Optional.of(due(reason, table, generations, held));
    }

    private static boolean differs(Generation generation, List<OpenShard> shards) {
        return shards.stream()
                .flatMap(shard -> finding(shard, generation).stream())
                .anyMatch(DigestFinding::isSurelyDifferent);
    }

    private boolean isEqualAgain(Generation generation, List<OpenShard> shards) {
        boolean any = false;
        boolean all = true;
        for (OpenShard shard : shards) {
            Place place = new Place(generation.id(), shard.id().partition());
            if (is(shard, generation, VerifySchedule::differed)) {
                any = true;
                all &= isEqualSince(place, finding(shard, generation));
            } else {
                differing.remove(place);
            }
        }
        return any && all;
    }

    private static boolean differed(GenerationState state) {
        return state instanceof GenerationState.Degraded degraded && !degraded.refusing();
    }

    /** Whether a heartbeat that came after the shard was first seen to differ says that it is equal. */
    private boolean isEqualSince(Place place, Optional<DigestFinding> finding) {
        Instant asOf = finding.map(DigestFinding::asOf).orElse(Instant.MIN);
        Instant first = differing.computeIfAbsent(place, other -> asOf);
        return asOf.isAfter(first) && finding.filter(DigestFinding::isEqual).isPresent();
    }

    private static Optional<DigestFinding> finding(OpenShard shard, Generation generation) {
        return shard.applied()
                .flatMap(status -> Optional.ofNullable(status.digests().get(generation.id())));
    }

    private Optional<Due> turn(Instant now) {
        List<DesiredTable> tables = shards.definitions().tables();
        if (interval.isZero() || tables.isEmpty() || now.isBefore(nextTurn)) {
            return Optional.empty();
        }
        DesiredTable table = tables.get(turns++ % tables.size());
        return Optional.of(due(Reason.TURN, table, whole(table, Optional.empty()), shards.of(table.definition())));
    }

    /**
     * The generations that have every row in every shard here, as far as that is known.
     *
     * @param index bare name of an index; empty for all
     */
    List<Generation> whole(DesiredTable table, Optional<String> index) {
        List<OpenShard> held = shards.of(table.definition());
        return table.generations().stream()
                .filter(generation -> isNamed(generation, index))
                .filter(generation -> held.stream().allMatch(shard -> is(shard, generation, GenerationState::isWhole)))
                .toList();
    }

    /** Generations that were built and cannot be compared now: a shard is not open yet, or is built again. */
    List<Generation> lacking(DesiredTable table, Optional<String> index) {
        List<OpenShard> held = shards.of(table.definition());
        return table.generations().stream()
                .filter(generation -> isNamed(generation, index))
                .filter(generation -> held.stream()
                        .anyMatch(shard -> shard.applied().isEmpty()
                                || is(shard, generation, state -> state instanceof GenerationState.Rebuilding)))
                .toList();
    }

    private static boolean isNamed(Generation generation, Optional<String> index) {
        return index.isEmpty() || index.get().equals(generation.definition().name());
    }

    /** Whether a generation is in such a state in a shard. */
    private static boolean is(OpenShard shard, Generation generation, Predicate<GenerationState> state) {
        return shard.applied()
                .flatMap(status -> status.checkpoint().generation(generation.id()))
                .map(GenerationStatus::phase)
                .filter(state)
                .isPresent();
    }
}
