package dev.tidemark.worker.query;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
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
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.store.ShardId;

/**
 * Reads the parts of one answer here and from other workers. A worker that does not answer soon is not waited for where
 * another has the same shard; one that refuses is not asked again before the routes have been read again. An answer
 * that is older than what another worker has noted is used where that one does not answer in time.
 *
 * <p>It has no thread. What is heard is taken in one by one, by the thread that brings it, and no step waits.
 */
final class ScatterGather {
    /** After this, another worker is asked too. */
    private static final Duration HEDGE = Duration.ofMillis(300);

    /** Notes are this old at most while a worker runs, and a shard that is read on is no older. */
    private static final Duration NOTED = Duration.ofSeconds(2);

    static final Duration REST = Duration.ofMillis(50);

    private static final String HERE = "the worker that was asked: ";
    private static final String NOT_YET = "it has not answered yet";

    private final IndexQuery query;
    private final GroupQueries sources;
    private final LocalShards here;
    private final Instant patient;
    private final Instant end;
    private final SortedSet<Integer> open;
    private final SortedMap<Integer, String> reasons = new TreeMap<>();
    private final Map<Integer, Set<URI>> tried = new HashMap<>();
    private final Set<Integer> triedHere = new HashSet<>();
    private final Map<PartCall, CompletableFuture<PeerAnswer>> calls = new LinkedHashMap<>();
    private final List<Gathered.Part> parts = new ArrayList<>();

    /** Those that lack what other workers have noted, or of which a part is read again. */
    private final PutAside aside = new PutAside();

    private final CompletableFuture<Gathered> whole = new CompletableFuture<>();
    private final Deque<News> heard = new ArrayDeque<>();
    private Runnable cancelTimer = () -> {};
    private boolean stepping;
    private boolean notServing;

    /** Reads from shards that are here. */
    interface LocalShards {
        /** Completes with an answer in any case. Where it has to wait, another thread does. */
        CompletableFuture<PeerAnswer> ask(IndexQuery part);
    }

    /** What makes it go on. */
    private sealed interface News {
        /** A part was answered. */
        record Answered(PartCall call, PeerAnswer answer) implements News {}

        /** Time has passed. */
        record Due() implements News {}

        /** Every known owner was asked, and there may be others now. */
        record Again(Set<Integer> partitions) implements News {}
    }

    /** What is done between two waits. */
    private interface Step {
        void run() throws NotAnswerableException, NotServingException, LostTokenException;
    }

    /**
     * A gathering that has not begun.
     *
     * @param patient until when to wait for what the question demands
     * @param end when to do with what there is, which may be later: to reach another worker takes time
     */
    ScatterGather(IndexQuery query, GroupQueries sources, LocalShards here, Instant patient, Instant end) {
        this.query = query;
        this.sources = sources;
        this.here = here;
        this.patient = patient;
        this.end = end;
        this.open = new TreeSet<>(query.partitions());
    }

    /**
     * Begins to read all parts, or what can be had of them where the question allows that.
     *
     * @return fails with a {@link NotServingException} when the generation may not answer somewhere, a
     *     {@link NotAnswerableException} when no worker answers for a partition in time, a {@link LostTokenException}
     *     when the question asks for a write of an epoch that is over
     */
    CompletableFuture<Gathered> gather() {
        hear(new News.Due());
        return whole;
    }

    private void hear(News news) {
        synchronized (heard) {
            heard.add(news);
            if (stepping) {
                return;
            }
            stepping = true;
        }
        do {
            for (News next = next(); next != null; next = next()) {
                take(next);
            }
            step(this::goOn);
        } while (isMore());
    }

    private @Nullable News next() {
        synchronized (heard) {
            return heard.poll();
        }
    }

    private boolean isMore() {
        synchronized (heard) {
            stepping = !heard.isEmpty();
            return stepping;
        }
    }

    private void take(News news) {
        if (whole.isDone()
                && news instanceof News.Answered late
                && late.answer() instanceof PeerAnswer.Found unwanted) {
            unwanted.part().close();
        }
        step(() -> {
            if (news instanceof News.Answered answered) {
                calls.remove(answered.call());
                take(answered.call(), answered.answer());
            } else if (news instanceof News.Again again) {
                tried.keySet().removeAll(again.partitions());
                triedHere.removeAll(again.partitions());
            }
        });
    }

    private void step(Step step) {
        if (whole.isDone()) {
            return;
        }
        try {
            step.run();
        } catch (NotAnswerableException | NotServingException | LostTokenException | RuntimeException e) {
            end();
            parts.forEach(part -> part.result().close());
            whole.completeExceptionally(e);
        }
    }

    private void goOn() throws NotAnswerableException, NotServingException {
        boolean inTime = !left(end).isZero();
        if (inTime && !open.isEmpty()) {
            calls.keySet().stream()
                    .filter(call -> left(call.at().plus(HEDGE)).isZero())
                    .forEach(PartCall::becomeSlow);
            askOthers();
            readHere();
        }
        boolean asksAgain = !mayLack() && !notServing && !left(patient).isZero();
        boolean asking = inTime && (!calls.isEmpty() || asksAgain);
        if (!asking || isLate()) {
            makeDo();
        }
        if (asking && !open.isEmpty()) {
            awaitMore();
            return;
        }
        if (inTime && notServing && !open.isEmpty()) {
            throw new NotServingException(query.index());
        }
        requireEnough();
        end();
        whole.complete(new Gathered(parts, open));
    }

    /** Takes what was answered and put aside. */
    private void makeDo() {
        for (Gathered.Part part : aside.takeAll()) {
            SortedSet<Integer> used = new TreeSet<>(part.partitions());
            used.retainAll(open);
            use(new Gathered.Part(used, part.result(), part.at()));
        }
    }

    private void use(Gathered.Part part) {
        if (part.partitions().isEmpty()) {
            part.result().close();
        } else {
            open.removeAll(part.partitions());
            parts.add(part);
        }
    }

    private void awaitMore() {
        cancelTimer.run();
        Duration patience = calls.keySet().stream()
                .filter(call -> !call.isSlow())
                .map(call -> left(call.at().plus(HEDGE)))
                .min(Duration::compareTo)
                .orElseGet(this::untilLastResort);
        Set<Integer> refused = new TreeSet<>(open);
        calls.keySet().forEach(call -> refused.removeAll(call.partitions()));
        if (refused.isEmpty()) {
            wait(patience, new News.Due());
        } else {
            // All were asked for these: the routes are read again.
            sources.routes().readSoon();
            wait(calls.isEmpty() || REST.compareTo(patience) < 0 ? REST : patience, new News.Again(refused));
        }
    }

    private void wait(Duration time, News then) {
        cancelTimer = sources.timer().after(Collections.min(List.of(time, left(end))), () -> hear(then));
    }

    private void requireEnough() throws NotAnswerableException {
        if (!open.isEmpty() && (!mayLack() || parts.isEmpty())) {
            Map<String, List<String>> byReason = new LinkedHashMap<>();
            open.forEach(partition -> byReason.computeIfAbsent(
                            reasons.getOrDefault(partition, "no worker has it"), any -> new ArrayList<>())
                    .add(partition.toString()));
            List<String> named = byReason.entrySet().stream()
                    .map(one -> String.join(", ", one.getValue()) + " (" + one.getKey() + ")")
                    .toList();
            throw new NotAnswerableException("no worker answers for partition" + (open.size() == 1 ? " " : "s ")
                    + String.join(" and ", named) + " of "
                    + DerivedTable.inWords(query.index().home().name())
                    + (query.demand().isDemanding()
                            ? "; a worker answers once it has what the token, the cursor or max_staleness asks for"
                            : ""));
        }
    }

    /** Whether the answer may lack the open partitions. One with a write that a token names may not be lacking. */
    private boolean mayLack() {
        return query.partial()
                && Collections.disjoint(open, query.demand().versions().keySet());
    }

    /** What is heard from now on decides nothing. */
    private void end() {
        cancelTimer.run();
        aside.close();
        calls.values().forEach(answer -> answer.cancel(true));
        calls.keySet().stream()
                .filter(call -> call.isSlow())
                .flatMap(call -> call.owners().stream())
                .forEach(sources.routes()::suspect);
    }

    /** Asks the best worker that was not asked yet, for each partition without a question under way. */
    private void askOthers() {
        Map<URI, List<Owner>> next = new LinkedHashMap<>();
        for (int partition : open) {
            if (!isAsked(partition) && !isHere(partition)) {
                alternatives(partition).stream()
                        .findFirst()
                        .ifPresent(owner -> next.computeIfAbsent(owner.note().url(), url -> new ArrayList<>())
                                .add(owner));
            }
        }
        next.forEach((worker, owners) -> {
            SortedSet<Integer> asked = new TreeSet<>();
            owners.forEach(owner -> asked.add(owner.shard().partition()));
            PartCall call = new PartCall(owners, asked, sources.clock().instant());
            asked.forEach(partition -> {
                tried.computeIfAbsent(partition, any -> new HashSet<>()).add(worker);
                reasons.put(partition, call.asked() + NOT_YET);
            });
            await(call, sources.peers().ask(worker, query.part(asked, left(patient))));
        });
    }

    private void readHere() {
        SortedSet<Integer> held = new TreeSet<>(open);
        held.removeIf(partition -> isAsked(partition) || !isHere(partition));
        if (!held.isEmpty()) {
            // Where another worker has them as well, it may be asked for what this one does not have yet.
            boolean elsewhere =
                    held.stream().noneMatch(partition -> alternatives(partition).isEmpty());
            Duration patience = elsewhere && !isLate() ? HEDGE : left(patient);
            triedHere.addAll(held);
            held.forEach(partition -> reasons.put(partition, HERE + NOT_YET));
            PartCall call = new PartCall(List.of(), held, sources.clock().instant());
            await(call, here.ask(query.part(held, patience)));
        }
    }

    private void await(PartCall call, CompletableFuture<PeerAnswer> answer) {
        calls.put(call, answer);
        CompletableFuture<Void> unused = answer.thenAccept(given -> hear(new News.Answered(call, given)));
    }

    private boolean isAsked(int partition) {
        return calls.keySet().stream()
                .anyMatch(call -> !call.isSlow() && call.partitions().contains(partition));
    }

    private List<Owner> alternatives(int partition) {
        Set<URI> before = tried.getOrDefault(partition, Set.of());
        return sources.routes().of(new ShardId(query.index().home().name(), partition)).stream()
                .filter(owner -> !before.contains(owner.note().url()))
                .toList();
    }

    private boolean isHere(int partition) {
        QueryEngine engine = sources.engine();
        return !triedHere.contains(partition)
                && engine.refused().isEmpty()
                && (engine.isCurrent(query.index(), partition)
                        || (engine.canRead(query.index(), partition) && isLastResort(partition)));
    }

    /**
     * Whether a shard that is here and lacks what is in its log will do: where no other worker has it, or those that
     * have it have not answered until now. It could be much older than what the caller was answered before.
     */
    private boolean isLastResort(int partition) {
        ShardId shard = new ShardId(query.index().home().name(), partition);
        return sources.routes().of(shard).isEmpty() || (alternatives(partition).isEmpty() && (mayLack() || isLate()));
    }

    private void take(PartCall call, PeerAnswer answer) throws LostTokenException {
        if (answer instanceof PeerAnswer.Found found) {
            SortedSet<Integer> used = new TreeSet<>(call.partitions());
            used.retainAll(open);
            // Freshness was stated after the question was sent, so its age counts from then.
            Gathered.Part part = new Gathered.Part(used, found.part(), call.at());
            boolean counted = part.countsOthers(call.partitions());
            if (counted) {
                forget(call);
            }
            if (counted || isOld(call, part)) {
                aside.add(part);
            } else {
                use(part);
            }
        } else if (answer instanceof PeerAnswer.LostToken lost) {
            throw new LostTokenException(lost.detail());
        } else {
            notServing |= answer instanceof PeerAnswer.NotServing;
            if (answer instanceof PeerAnswer.Unreachable) {
                call.owners().forEach(sources.routes()::suspect);
            }
            call.partitions().forEach(partition -> reasons.put(partition, call.asked() + answer.detail()));
        }
    }

    /** Whether another worker is known to have more of a partition. */
    private boolean isOld(PartCall call, Gathered.Part part) {
        Optional<Instant> limit = part.result().freshness().completeUpTo().map(time -> time.plus(NOTED));
        return call.owners().stream()
                .filter(owner -> part.partitions().contains(owner.shard().partition()))
                .anyMatch(owner -> sources.routes()
                        .completeUpTo(owner)
                        .filter(noted -> limit.isEmpty() || noted.isAfter(limit.get()))
                        .isPresent());
    }

    /** Lets a worker be asked again for what is still open of its answer. */
    private void forget(PartCall call) {
        if (call.owners().isEmpty()) {
            triedHere.removeAll(call.partitions());
        }
        call.owners()
                .forEach(owner -> tried.getOrDefault(owner.shard().partition(), new HashSet<>())
                        .remove(owner.note().url()));
    }

    private boolean isLate() {
        return left(patient).compareTo(HEDGE) <= 0;
    }

    private Duration untilLastResort() {
        return isLate() ? left(end) : left(patient).minus(HEDGE);
    }

    private Duration left(Instant then) {
        Duration left = Duration.between(sources.clock().instant(), then);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
