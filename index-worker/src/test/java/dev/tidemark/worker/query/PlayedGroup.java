package dev.tidemark.worker.query;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

/** A worker without shards, and others that a test plays: it notes and answers for them, and moves the time. */
final class PlayedGroup {
    /** Memory of an answer, as far as tests make them. */
    static final long PAGE = 64 << 10;

    private static final int MOST_ALARMS = 1_000;

    final WorkerFixture here = new WorkerFixture(Tables.catalog()).withoutProofs();
    final IndexNames names = Tables.names(here::definitions);
    final MemoryBudget budget = new MemoryBudget(64 << 20);

    /** What workers were asked, in this order. */
    final List<Question> asked = new ArrayList<>();

    /** What workers answer at once. */
    final Map<String, Supplier<PeerAnswer>> prompt = new HashMap<>();

    /** How long was waited for, each time. */
    final List<Duration> waits = new ArrayList<>();

    /** Why the worker here must not answer. */
    Optional<String> refusal = Optional.empty();

    /** Where rows are fetched. */
    FactRows facts = (table, keys, room) -> List.of();

    private final MemoryBudget.Part pages = budget.part("pages", 1);
    private final List<Owner> owners = new ArrayList<>();
    private final List<Alarm> alarms = new ArrayList<>();
    final ShardRoutes routes = new ShardRoutes(
            new WorkerIdentity(url("here"), "here", ""),
            "a",
            new InMemoryOwnerSource(owners),
            () -> List.of("people", "films"),
            here.clock(),
            () -> {});
    final QueryEngine engine = new QueryEngine(
            here.lag(),
            new WaiterLimit(here.progressSignal(), 2),
            (table, keys, room) -> List.of(),
            pages,
            () -> refusal,
            here.clock());
    final GroupQueries queries = new GroupQueries(
            engine,
            routes,
            (worker, part) -> ask(worker.getHost(), part),
            (table, keys, room) -> facts.lookup(table, keys, room),
            pages,
            this::after,
            here.clock());

    /** A part that a worker was asked for. */
    record Question(String worker, IndexQuery part, CompletableFuture<PeerAnswer> answer) {
        /** Answers it. */
        void found(QueryResult result) {
            answer.complete(new PeerAnswer.Found(result));
        }
    }

    private record Alarm(Instant at, Runnable task) {}

    private static URI url(String worker) {
        return URI.create("http://" + worker);
    }

    CompletableFuture<PeerAnswer> ask(String worker, IndexQuery part) {
        Question question = new Question(worker, part, new CompletableFuture<>());
        asked.add(question);
        Supplier<PeerAnswer> known = prompt.get(worker);
        if (known != null) {
            question.answer().complete(known.get());
        }
        return question.answer();
    }

    /** The questions so far, each as worker and partitions. */
    List<String> questions() {
        return asked.stream()
                .map(question -> question.worker() + question.part().partitions())
                .toList();
    }

    /** The question that a worker was asked last. */
    Question last(String worker) {
        return asked.stream()
                .filter(question -> question.worker().equals(worker))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private Runnable after(Duration time, Runnable task) {
        waits.add(time);
        Alarm alarm = new Alarm(here.clock().instant().plus(time), task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** Moves the time, from each alarm to the next. */
    void advance(Duration time) {
        Instant end = here.clock().instant().plus(time);
        for (int rung = 0; rung < MOST_ALARMS; rung++) {
            Optional<Alarm> next =
                    alarms.stream().filter(alarm -> !alarm.at().isAfter(end)).min(Comparator.comparing(Alarm::at));
            if (next.isEmpty()) {
                here.clock().set(end);
                return;
            }
            here.clock().set(next.get().at());
            alarms.remove(next.get());
            next.get().task().run();
        }
        throw new IllegalStateException("Expected an end of the alarms until " + end);
    }

    /** A worker notes that it has shards of the table of people, in the generation of an index that there is now. */
    void note(String worker, String group, long completeUpTo, int... partitions) {
        long generation = by("by_town").generation().id();
        for (int partition : partitions) {
            note(worker, group, new ShardId("people", partition), completeUpTo, generation);
        }
    }

    /** A worker notes that it has a shard, in which some generations answer. */
    void note(String worker, String group, ShardId shard, long completeUpTo, Long... generations) {
        note(worker, group, true, shard, completeUpTo, generations);
    }

    /** The same of a replica group that has no members any more. */
    void noteOfEarlier(String worker, String group, ShardId shard, long completeUpTo, Long... generations) {
        note(worker, group, false, shard, completeUpTo, generations);
    }

    private void note(
            String worker, String group, boolean live, ShardId shard, long completeUpTo, Long... generations) {
        Progress progress = new Progress(ChangeLog.at(completeUpTo), ChangeLog.version(completeUpTo));
        SortedSet<Long> answering = new TreeSet<>(List.of(generations));
        owners.add(new Owner(shard, group, live, new OffsetNote(progress, url(worker), worker, answering)));
        readNotes();
    }

    /** Takes all notes back. */
    void withoutNotes() {
        owners.clear();
        readNotes();
    }

    private void readNotes() {
        routes.readSoon();
        readRoutes();
    }

    /** Has the routes read if that was requested; whether they were. */
    boolean readRoutes() {
        try {
            return routes.agent().doWork() > 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The workers to ask for a shard, the best first. */
    List<String> route(int partition) {
        return routes.of(new ShardId("people", partition)).stream()
                .map(owner -> owner.note().instance())
                .toList();
    }

    /** Opens shards here that are complete up to a second. */
    void open(long completeUpTo, int... partitions) {
        for (int partition : partitions) {
            OpenShard shard = here.open(new ShardId("people", partition));
            ChangeLog log = new ChangeLog(Tables.people());
            for (int id = 1; id <= 40; id++) {
                if (Tables.people().partitionOf(log.key(Integer.toString(id))) == partition) {
                    log.put(id, "{\"id\":" + id + ",\"town\":\"Oslo\",\"name\":\"N" + id + "\"}");
                }
            }
            here.deliver(
                    shard,
                    Objects.requireNonNull(shard.takeStart()).reading(),
                    log.heartbeat(completeUpTo).take());
        }
        here.proveAll();
    }

    /** Opens shards here that are whole, and have not read the end of their logs. */
    void openBehind(long completeUpTo, int... partitions) {
        open(completeUpTo, partitions);
        for (int partition : partitions) {
            ShardId id = new ShardId("people", partition);
            here.shards().revoke(id);
            here.run();
            here.end(id, 1_000);
            here.open(id);
        }
    }

    /** An answer with an entry of each of some partitions, named by their numbers. */
    QueryResult result(long completeUpTo, Integer... partitions) {
        return result(
                completeUpTo,
                Optional.empty(),
                List.of(partitions),
                List.of(partitions).stream()
                        .map(partition -> entry(partition, partition))
                        .toList());
    }

    /** An answer about some partitions. */
    QueryResult result(
            long completeUpTo, Optional<String> next, List<Integer> partitions, List<QueryResult.Entry> entries) {
        SortedMap<Integer, RowVersion> through = new TreeMap<>();
        partitions.forEach(partition -> through.put(partition, ChangeLog.version(completeUpTo)));
        Instant time = ChangeLog.at(completeUpTo);
        Freshness freshness = new Freshness(
                Optional.of(time),
                Optional.of(Duration.between(time, here.clock().instant())),
                IndexHealth.STEADY,
                List.of(),
                Freshness.Quarantined.NONE,
                0);
        return new QueryResult(entries, next, Optional.empty(), through, freshness, room());
    }

    /** Memory for an answer. */
    PageMemory room() {
        try {
            return PageMemory.open(pages);
        } catch (NoMemoryException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An entry of a partition, at a place in the order of the index. */
    QueryResult.Entry entry(int place, int partition) {
        KeyBytes key = KeyBytes.wrap(new byte[] {(byte) place});
        return new QueryResult.Entry(key, List.of(), key, partition, ChangeLog.version(1), KeyBytes.EMPTY);
    }

    /** Places of entries in the order of the index. */
    static List<Integer> places(List<QueryResult.Entry> entries) {
        return entries.stream().map(entry -> (int) entry.whole().array()[0]).toList();
    }

    /** An index in its current generation. */
    IndexNames.Found by(String name) {
        try {
            return names.find(name);
        } catch (BadQueryException | UnknownIndexException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A question at the index by town. */
    IndexQuery parse(String... parameters) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], List.of(halves[1]));
        }
        try {
            return QueryParser.parse(by("by_town"), given, QueryLimits.USUAL);
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
    }
}
