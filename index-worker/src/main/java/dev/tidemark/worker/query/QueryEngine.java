package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lifecycle.WaitingRoom;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardView;

/** Answers questions. */
public final class QueryEngine {
    /** An answer ends after so many bytes of rows, with a cursor, so that no question can exhaust the process. */
    private static final int MAX_CARRIED_BYTES = 8 * 1024 * 1024;

    private final LagMeter lag;
    private final WaitingRoom waiting;

    /** An engine over the shards of the meter, whose questions wait for progress in that room. */
    public QueryEngine(LagMeter lag, WaitingRoom waiting) {
        this.lag = lag;
        this.waiting = waiting;
    }

    /**
     * Answers, after waiting for what the question demands.
     *
     * @throws NotAnswerableException when this process does not hold the whole index, or the demand is not met in time
     */
    public Answer answer(IndexQuery query) throws NotAnswerableException, InterruptedException {
        TableDefinition table = query.index().table();
        DemandCheck check = new DemandCheck(query.demand());
        if (!check.isMet(lag.of(table), table)) {
            await(check, table, query.demand().patience());
        }
        try (Readings readings = Readings.open(table, lag)) {
            Optional<String> shortfall = check.shortfall(readings.lags());
            if (shortfall.isPresent()) {
                throw new NotAnswerableException(shortfall.get());
            }
            return read(query, readings);
        }
    }

    private void await(DemandCheck check, TableDefinition table, Duration patience)
            throws NotAnswerableException, InterruptedException {
        if (!waiting.await(() -> check.isMet(lag.of(table), table), patience)) {
            throw new NotAnswerableException("too many questions wait for progress already");
        }
    }

    private static Answer read(IndexQuery query, Readings readings) {
        List<Raw> raws = new ArrayList<>();
        Optional<String> next = Optional.empty();
        try (MergedScan scan =
                new MergedScan(readings.views(), query.index().position(), query.rest(), query.order())) {
            long carried = 0;
            while (scan.isValid()) {
                if (raws.size() == query.limit() || carried > MAX_CARRIED_BYTES) {
                    KeyBytes last = raws.get(raws.size() - 1).key();
                    next = Optional.of(Cursor.write(query.index(), query.range(), query.order(), last));
                    break;
                }
                raws.add(Raw.of(query.index(), scan));
                carried += raws.get(raws.size() - 1).carried().length();
                scan.next();
            }
        }
        return new Answer(entries(raws, readings.views()), next, Freshness.of(readings.lags()));
    }

    private static List<Answer.Entry> entries(List<Raw> raws, List<ShardView> views) {
        Map<Integer, List<KeyBytes>> rows = new HashMap<>();
        raws.forEach(raw ->
                rows.computeIfAbsent(raw.shard(), shard -> new ArrayList<>()).add(raw.primaryKey()));
        Map<KeyBytes, RowVersion> versions = new HashMap<>();
        rows.forEach((shard, keys) -> {
            List<Optional<RowVersion>> found = views.get(shard).versions(keys);
            for (int i = 0; i < keys.size(); i++) {
                versions.put(keys.get(i), found.get(i).orElse(RowVersion.NONE));
            }
        });
        return raws.stream()
                .map(raw -> new Answer.Entry(
                        raw.parts(),
                        raw.primaryKey(),
                        raw.shard(),
                        versions.getOrDefault(raw.primaryKey(), RowVersion.NONE),
                        raw.carried()))
                .toList();
    }

    /** An entry as it stands in the index. */
    private record Raw(KeyBytes key, List<FieldValue> parts, KeyBytes primaryKey, int shard, KeyBytes carried) {
        static Raw of(IndexNames.Found index, MergedScan scan) {
            try {
                KeyReader reader = new KeyReader(scan.key());
                List<FieldValue> parts = new ArrayList<>();
                for (KeyPart part : index.definition().key()) {
                    parts.add(reader.next(part.order()));
                }
                return new Raw(scan.key(), parts, reader.rest(), scan.shard(), scan.carried());
            } catch (MalformedKeyException e) {
                throw new ShardDamagedException(
                        "Expected an entry of index " + index.definition().qualifiedName() + ", but " + e.getMessage());
            }
        }
    }
}
