package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.StreamedBody;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.RowRules;

/** Bulk loads, one row a line: streamed, or all or nothing. */
final class BulkHandler {
    /** Most all-or-nothing loads that are held in memory at once. */
    private static final int ATOMIC_AT_ONCE = 2;

    private final Tables tables;
    private final Submitter submitter;
    private final long atomicMaxBytes;
    private final Semaphore atomicLoads = new Semaphore(ATOMIC_AT_ONCE);

    /**
     * A handler.
     *
     * @param atomicMaxBytes most bytes of an all-or-nothing load, which is held in memory
     */
    BulkHandler(Tables tables, Submitter submitter, long atomicMaxBytes) {
        this.tables = tables;
        this.submitter = submitter;
        this.atomicMaxBytes = atomicMaxBytes;
    }

    /** Refuses what is no load before any of it is read. */
    int check(Call call) {
        tables.writable(call);
        Requests.requireType(call, "application/x-ndjson", "application/ndjson", "application/jsonl");
        atomic(call);
        return Integer.MAX_VALUE;
    }

    StreamedBody begin(Call call) {
        RowRules table = tables.writable(call);
        if (!atomic(call)) {
            return new StreamedLoad(call, table, submitter);
        }
        if (!atomicLoads.tryAcquire()) {
            throw new ProblemException(Problem.retryable(
                            429,
                            "Too many writes",
                            ATOMIC_AT_ONCE + " all-or-nothing loads are under way, and more are not held in memory",
                            Duration.ofSeconds(1))
                    .typed(ProblemType.TOO_MANY_LOADS));
        }
        return new AtomicLoad(call, table, submitter, atomicMaxBytes, atomicLoads::release);
    }

    private static boolean atomic(Call call) {
        return Requests.flag(call, "atomic");
    }
}
