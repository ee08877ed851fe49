package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.store.GenerationStats;

/** One comparison of a table and its indexes in the shards of this process, at one moment. */
public final class VerifyPass {
    /** A comparison of this number of rows takes longer than the writer's next heartbeat takes to arrive. */
    private static final long MANY_ROWS = 200_000;

    /** Rows and entries from one look at the shards, and one rest, to the next. */
    private static final int WORKED_EVERY = 4_096;

    private final VerifyRequest request;
    private final FactReader facts;
    private final List<ShardWindow> shards;
    private final MemoryBudget.Part memory;
    private final Pacer patience;
    private final Pacer whileHere = new WhileHere();
    private final Listener listener;
    private final Map<Long, Findings> findings = new LinkedHashMap<>();

    /** Receives what a pass finds, while the pass runs. */
    public interface Listener {
        /** A row is wrong in one generation. */
        void differs(WrongRow row) throws InterruptedException;

        /**
         * What a shard keeps of a generation in sum is not what its row states add up to.
         *
         * @param by what it lacks
         */
        void miscounts(ShardWindow shard, long generation, GenerationStats by) throws InterruptedException;

        /**
         * More rows have been compared.
         *
         * @param rows number of rows since the last call
         */
        void passed(long rows);
    }

    /**
     * A pass over some shards of the table.
     *
     * @param shards those that are here
     * @param memory for all that the pass holds
     */
    public VerifyPass(
            VerifyRequest request,
            FactReader facts,
            List<ShardWindow> shards,
            MemoryBudget.Part memory,
            Pacer patience,
            Listener listener) {
        this.request = request;
        this.facts = facts;
        this.shards = List.copyOf(shards);
        this.memory = memory;
        this.patience = patience;
        this.listener = listener;
        request.generations().forEach(generation -> findings.put(generation.id(), new Findings(generation)));
    }

    /**
     * Compares.
     *
     * @throws CannotVerifyException when the writer cannot be asked, a shard does not come as far as its table in time,
     *     or leaves this process, or when there is too little memory
     */
    public VerifyReport run() throws CannotVerifyException, InterruptedException {
        try (MemoryBudget.Reservation looks = memory.tryReserve(Recheck.bytes(memory))
                        .orElseThrow(() -> new CannotVerifyException("there is no memory left for a comparison"));
                DigestMemory sums = new DigestMemory(memory, shards.size() * findings.size())) {
            return run(looks.bytes(), sums);
        }
    }

    private VerifyReport run(long looks, DigestMemory sums) throws CannotVerifyException, InterruptedException {
        if (request.mode().trustsDigests()) {
            Optional<DigestComparison.Equal> equal =
                    new DigestComparison(request, facts, shards, looks, whileHere, listener, MANY_ROWS).run();
            if (equal.isPresent()) {
                return byDigest(equal.get());
            }
        }
        return byRows(looks, sums);
    }

    private VerifyReport byDigest(DigestComparison.Equal equal) {
        for (int i = 0; i < request.generations().size(); i++) {
            found(request.generations().get(i).id())
                    .walked(new EntryCheck.Result(equal.entries().get(i), true));
        }
        return report(VerifyReport.Basis.DIGESTS, equal.watermark(), equal.rows());
    }

    private VerifyReport byRows(long bytes, DigestMemory sums) throws CannotVerifyException, InterruptedException {
        RowShards homes = request.homes();
        Recheck second = new Recheck(request.table(), homes, facts, bytes, whileHere, new Collector());
        boolean whole = request.mode().settles() || homes.needsRows();
        try (FactStream stream = stream(whole)) {
            FactStreamHead head = stream.head();
            List<ShardComparison> looks = open(head.version(), sums);
            try {
                long rows = compare(stream, homes, looks, second);
                return report(VerifyReport.Basis.ROWS, head, rows);
            } finally {
                looks.forEach(ShardComparison::close);
            }
        }
    }

    /** The table, once the writer is free to send it: other workers may be reading theirs for the same order. */
    private FactStream stream(boolean whole) throws CannotVerifyException, InterruptedException {
        while (true) {
            try {
                return facts.stream(request.table(), whole);
            } catch (WriterBusyException e) {
                if (!whileHere.again()) {
                    throw e;
                }
            }
        }
    }

    private List<ShardComparison> open(RowVersion point, DigestMemory sums)
            throws CannotVerifyException, InterruptedException {
        List<ShardComparison> looks = new ArrayList<>();
        try {
            for (ShardWindow shard : shards) {
                if (!whileHere.until(() -> !point.isAfter(shard.through()))) {
                    throw new CannotVerifyException(
                            "shard " + name(shard) + " has not come as far as its table: it has changes up to "
                                    + shard.through() + ", the table up to " + point);
                }
                looks.add(ShardComparison.open(shard, name(shard), findings.keySet(), sums));
            }
            return looks;
        } catch (CannotVerifyException | InterruptedException | RuntimeException e) {
            looks.forEach(ShardComparison::close);
            throw e;
        }
    }

    private long compare(FactStream stream, RowShards homes, List<ShardComparison> looks, Recheck second)
            throws CannotVerifyException, InterruptedException {
        long rows;
        try (CandidateScan first = new CandidateScan(
                homes, findings.keySet(), stream.head().version(), looks, second, listener::passed, whileHere)) {
            rows = first.run(stream);
        }
        for (ShardComparison shard : looks) {
            for (Findings found : findings.values()) {
                found.walked(new EntryCheck(shard, found.generation(), second, memory, whileHere).run());
                count(shard, found.generation().id());
            }
        }
        second.look();
        return rows;
    }

    private void count(ShardComparison shard, long generation) throws InterruptedException {
        GenerationStats by = shard.sum(generation).stats.minus(shard.kept(generation));
        if (!by.equals(GenerationStats.NONE)) {
            listener.miscounts(shard.window(), generation, by);
        }
    }

    private VerifyReport report(VerifyReport.Basis basis, FactStreamHead head, long rows) {
        List<Integer> here = shards.stream().map(ShardWindow::partition).toList();
        List<Integer> missing = IntStream.range(0, request.table().partitions())
                .filter(partition -> !here.contains(partition))
                .boxed()
                .toList();
        List<VerifyReport.OfGeneration> indexes = findings.values().stream()
                .map(found -> found.report(here, missing))
                .toList();
        return new VerifyReport(basis, head, Map.of(request.table().name(), rows), indexes);
    }

    /** Counts and keeps what the second look says. */
    private final class Collector implements Recheck.Outcome {
        @Override
        public void judged(
                Recheck.Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences)
                throws InterruptedException {
            differences.forEach(difference -> found(sight.generation()).add(difference));
            if (!differences.isEmpty()) {
                RowRepair repair = new RowRepair(
                        row.primaryKey(),
                        fact.map(known ->
                                new RowRepair.Fact(known.version(), known.row().orElseThrow())),
                        sight.from(),
                        new TreeMap<>(Map.of(
                                sight.generation(), Set.copyOf(sight.found().keySet()))),
                        sight.version().filter(version -> sight.isForeign()));
                listener.differs(new WrongRow(row.shard(), repair));
            }
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            found(generation).undecided(row.shard().partition());
        }
    }

    /** Ends the pass when a shard is about to be closed, which waits for the views of the pass. */
    private final class WhileHere implements Pacer {
        private long worked;

        @Override
        public boolean until(BooleanSupplier condition) throws CannotVerifyException, InterruptedException {
            boolean met = patience.until(
                    () -> condition.getAsBoolean() || shards.stream().anyMatch(ShardWindow::isLeaving));
            requireAll();
            return met;
        }

        @Override
        public void worked() throws CannotVerifyException, InterruptedException {
            if (++worked % WORKED_EVERY == 0) {
                requireAll();
                patience.worked();
            }
        }

        @Override
        public boolean again() throws CannotVerifyException, InterruptedException {
            boolean wanted = patience.again();
            requireAll();
            return wanted;
        }

        private void requireAll() throws CannotVerifyException {
            for (ShardWindow shard : shards) {
                if (shard.isLeaving()) {
                    throw new CannotVerifyException("shard " + name(shard) + " is being closed");
                }
            }
        }
    }

    private String name(ShardWindow shard) {
        return request.table().name() + "-" + shard.partition();
    }

    private Findings found(long generation) {
        Findings found = findings.get(generation);
        if (found == null) {
            throw new IllegalArgumentException("Expected one of " + findings.keySet() + ", but got " + generation);
        }
        return found;
    }
}
