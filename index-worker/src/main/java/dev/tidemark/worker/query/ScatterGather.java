package dev.tidemark.worker.query;

import java.net.URI;
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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads the parts of one answer here and from other workers. A worker that does not answer soon is not waited for where
 * another has the same shard; one that refuses is not asked again before the routes have been read again. Belongs to
 * one thread.
 */
final class ScatterGather {
    /** After this, another worker is asked too. */
    private static final Duration HEDGE = Duration.ofMillis(300);

    private static final Duration REST = Duration.ofMillis(50);

    private final IndexQuery query;
    private final QueryEngine here;
    private final ShardRoutes routes;
    private final PeerShards peers;
    private final Clock clock;
    private final Instant end;
    private final SortedSet<Integer> open;
    private final SortedMap<Integer, String> reasons = new TreeMap<>();
    private final Map<Integer, Set<URI>> tried = new HashMap<>();
    private final Set<Integer> triedHere = new HashSet<>();
    private final List<Call> calls = new ArrayList<>();
    private final List<Gathered.Part> parts = new ArrayList<>();
    private final Outcomes outcomes = new Outcomes();
    private boolean notServing;

    /** A part that another worker was asked for. */
    private static final class Call {
        private final URI worker;
        private final List<Owner> owners;
        private final SortedSet<Integer> partitions;
        private final Instant at;
        private boolean slow;

        Call(URI worker, List<Owner> owners, Instant at) {
            this.worker = worker;
            this.owners = owners;
            this.partitions = new TreeSet<>(
                    owners.stream().map(owner -> owner.shard().partition()).toList());
            this.at = at;
        }
    }

    private record Outcome(Call call, PeerAnswer answer) {}

    /** What other workers answer, from any thread; what comes too late is closed. */
    private static final class Outcomes {
        private final BlockingQueue<Outcome> queue = new LinkedBlockingQueue<>();
        private final Map<CompletableFuture<PeerAnswer>, CompletableFuture<Boolean>> futures = new HashMap<>();
        private boolean over;

        void await(Call call, CompletableFuture<PeerAnswer> future) {
            futures.put(future, future.thenApply(answer -> add(new Outcome(call, answer))));
        }

        private synchronized boolean add(Outcome outcome) {
            if (over) {
                close(outcome);
            } else {
                queue.add(outcome);
            }
            return !over;
        }

        Optional<Outcome> next(Duration patience) throws InterruptedException {
            return Optional.ofNullable(queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS));
        }

        synchronized void end() {
            over = true;
            queue.forEach(Outcomes::close);
            futures.keySet().forEach(future -> future.cancel(true));
        }

        private static void close(Outcome outcome) {
            if (outcome.answer() instanceof PeerAnswer.Found found) {
                found.part().close();
            }
        }
    }

    ScatterGather(IndexQuery query, QueryEngine here, ShardRoutes routes, PeerShards peers, Instant end, Clock clock) {
        this.query = query;
        this.here = here;
        this.routes = routes;
        this.peers = peers;
        this.end = end;
        this.clock = clock;
        this.open = new TreeSet<>(query.partitions());
    }

    /**
     * Reads all parts, or what can be had of them where the question allows that.
     *
     * @throws NotServingException when the generation may not answer somewhere
     * @throws NotAnswerableException when no worker answers for a partition in time
     * @throws LostTokenException when the question asks for a write of an epoch that is over
     */
    Gathered gather() throws NotAnswerableException, NotServingException, LostTokenException, InterruptedException {
        boolean whole = false;
        try {
            boolean goOn = true;
            while (goOn && !open.isEmpty() && left().compareTo(Duration.ZERO) > 0) {
                askOthers();
                readHere();
                if (!open.isEmpty()) {
                    goOn = calls.isEmpty() ? beginAgain() : await();
                }
            }
            requireEnough();
            whole = true;
            return new Gathered(parts, open);
        } finally {
            outcomes.end();
            calls.stream()
                    .filter(call -> call.slow)
                    .flatMap(call -> call.owners.stream())
                    .forEach(routes::suspect);
            if (!whole) {
                parts.forEach(part -> part.result().close());
            }
        }
    }

    private void requireEnough() throws NotAnswerableException {
        if (!open.isEmpty() && (!query.partial() || parts.isEmpty())) {
            List<String> named = open.stream()
                    .map(partition -> partition + " (" + reasons.getOrDefault(partition, "no worker has it") + ")")
                    .toList();
            throw new NotAnswerableException("no worker answers for partition " + String.join(", ", named)
                    + " of table " + query.index().table().name());
        }
    }

    /** Asks the best worker that was not asked yet, for each partition without a question under way. */
    private void askOthers() {
        Map<URI, List<Owner>> next = new LinkedHashMap<>();
        for (int partition : open) {
            boolean asked = calls.stream().anyMatch(call -> !call.slow && call.partitions.contains(partition));
            if (!asked && !isHere(partition)) {
                alternatives(partition).stream()
                        .findFirst()
                        .ifPresent(owner -> next.computeIfAbsent(owner.note().url(), url -> new ArrayList<>())
                                .add(owner));
            }
        }
        next.forEach((worker, owners) -> {
            Call call = new Call(worker, owners, clock.instant());
            calls.add(call);
            call.partitions.forEach(partition ->
                    tried.computeIfAbsent(partition, any -> new HashSet<>()).add(worker));
            outcomes.await(call, peers.ask(worker, query.part(call.partitions, left())));
        });
    }

    private List<Owner> alternatives(int partition) {
        Set<URI> before = tried.getOrDefault(partition, Set.of());
        return routes.of(shard(partition)).stream()
                .filter(owner -> !before.contains(owner.note().url()))
                .toList();
    }

    private boolean isHere(int partition) {
        return !triedHere.contains(partition)
                && here.refused().isEmpty()
                && (here.isCurrent(query.index(), partition)
                        || (here.canRead(query.index(), partition)
                                && alternatives(partition).isEmpty()));
    }

    private void readHere() throws NotServingException, LostTokenException, InterruptedException {
        SortedSet<Integer> held = new TreeSet<>(open);
        held.removeIf(partition -> !isHere(partition));
        if (held.isEmpty()) {
            return;
        }
        // Where another worker has them as well, it may be asked for what this one does not have yet.
        boolean elsewhere =
                held.stream().noneMatch(partition -> alternatives(partition).isEmpty());
        Duration patience = elsewhere && left().compareTo(HEDGE) > 0 ? HEDGE : left();
        try {
            QueryResult result = here.answer(query.part(held, patience));
            parts.add(new Gathered.Part(held, result, clock.instant()));
            open.removeAll(held);
        } catch (NotAnswerableException e) {
            triedHere.addAll(held);
            held.forEach(partition -> reasons.put(partition, String.valueOf(e.getMessage())));
        }
    }

    /** All were asked: reads the routes again; false where there is nothing to wait for. */
    private boolean beginAgain() throws NotServingException, InterruptedException {
        if (notServing) {
            throw new NotServingException(query.index());
        }
        if (query.partial()) {
            return false;
        }
        BoundedWait.rest(REST.compareTo(left()) < 0 ? REST : left());
        routes.look();
        tried.clear();
        triedHere.clear();
        return true;
    }

    private boolean await() throws LostTokenException, InterruptedException {
        Instant now = clock.instant();
        Duration patience = calls.stream()
                .filter(call -> !call.slow)
                .map(call -> Duration.between(now, call.at.plus(HEDGE)))
                .min(Duration::compareTo)
                .orElse(HEDGE);
        Optional<Outcome> outcome = outcomes.next(patience.compareTo(left()) < 0 ? patience : left());
        if (outcome.isPresent()) {
            calls.remove(outcome.get().call());
            take(outcome.get().call(), outcome.get().answer());
        } else {
            calls.stream()
                    .filter(call -> !clock.instant().isBefore(call.at.plus(HEDGE)))
                    .forEach(call -> call.slow = true);
        }
        return true;
    }

    private void take(Call call, PeerAnswer answer) throws LostTokenException {
        if (answer instanceof PeerAnswer.Found found) {
            SortedSet<Integer> used = new TreeSet<>(call.partitions);
            used.retainAll(open);
            if (used.isEmpty()) {
                found.part().close();
                return;
            }
            open.removeAll(used);
            // Freshness was stated after the question was sent, so its age counts from then.
            parts.add(new Gathered.Part(used, found.part(), call.at));
        } else if (answer instanceof PeerAnswer.LostToken lost) {
            throw new LostTokenException(lost.detail());
        } else {
            notServing |= answer instanceof PeerAnswer.NotServing;
            if (answer instanceof PeerAnswer.Unreachable) {
                call.owners.forEach(routes::suspect);
            }
            call.partitions.forEach(partition -> reasons.put(partition, call.worker + ": " + answer.detail()));
        }
    }

    private ShardId shard(int partition) {
        return new ShardId(query.index().table().name(), partition);
    }

    private Duration left() {
        return Duration.between(clock.instant(), end);
    }
}
