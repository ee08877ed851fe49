package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

import io.javalin.http.Context;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** Bulk loads, one row a line: streamed, or all or nothing. */
final class BulkHandler {
    /** So many all-or-nothing loads may be held in memory at once. */
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

    void load(Context context) throws IOException {
        RowRules table = tables.table(context);
        Requests.requireType(context, "application/x-ndjson", "application/ndjson", "application/jsonl");
        boolean atomic = atomic(context);
        try (InputStream in = context.req().getInputStream()) {
            LineReader lines = new LineReader(in, table.maxRowBytes());
            BulkTally tally = new BulkTally(table);
            if (atomic) {
                atomicLoad(table, lines, tally);
            } else {
                stream(table, lines, tally);
            }
            context.result(tally.toJson());
        }
    }

    private void stream(RowRules table, LineReader lines, BulkTally tally) throws IOException {
        LineParser parser = new LineParser(table);
        BulkStream stream = new BulkStream(table, submitter, tally);
        boolean tooLarge = false;
        for (BulkLine line = lines.next(); line != null; line = lines.next()) {
            try {
                stream.add(line.number(), parser.parse(line));
            } catch (BadInputException e) {
                int status = status(e);
                tooLarge |= status == 413;
                tally.reject(line.number(), status, e.getMessage());
            }
        }
        stream.finish();
        if (tooLarge && tally.committed() == 0) {
            throw new ProblemException(new Problem(
                            413,
                            "Content too large",
                            "no line was committed, and at least one was too large",
                            tally.sentences(),
                            Optional.empty())
                    .typed(ProblemType.ROW_TOO_LARGE));
        }
    }

    private void atomicLoad(RowRules table, LineReader lines, BulkTally tally) throws IOException {
        if (!atomicLoads.tryAcquire()) {
            throw new ProblemException(Problem.retryable(
                            429,
                            "Too many writes",
                            ATOMIC_AT_ONCE + " all-or-nothing loads are under way, and more are not held in memory",
                            Duration.ofSeconds(1))
                    .typed(ProblemType.TOO_MANY_LOADS));
        }
        try {
            readAndCommit(table, lines, tally);
        } finally {
            atomicLoads.release();
        }
    }

    private void readAndCommit(RowRules table, LineReader lines, BulkTally tally) throws IOException {
        LineParser parser = new LineParser(table);
        List<WriteCommand> commands = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        long bytes = 0;
        for (BulkLine line = lines.next(); line != null; line = lines.next()) {
            try {
                WriteCommand command = parser.parse(line);
                bytes += LineParser.bytes(command);
                commands.add(command);
                numbers.add(line.number());
            } catch (BadInputException e) {
                tally.reject(line.number(), status(e), e.getMessage());
            }
            requireRoom(bytes);
        }
        requireNoneRejected(tally);
        if (!commands.isEmpty()) {
            List<CommitOutcome> outcomes =
                    submitter.commit(new WriteRequest(table.table().name(), commands, true, bytes));
            for (int i = 0; i < outcomes.size(); i++) {
                tally.outcome(numbers.get(i), commands.get(i), outcomes.get(i));
            }
            requireNoneRejected(tally);
        }
    }

    private void requireRoom(long bytes) {
        if (bytes > atomicMaxBytes) {
            throw new ProblemException(Problem.of(
                            413,
                            "Content too large",
                            "expected an all-or-nothing load of at most " + atomicMaxBytes
                                    + " bytes, but got more; nothing was applied")
                    .typed(ProblemType.LOAD_TOO_LARGE));
        }
    }

    private static void requireNoneRejected(BulkTally tally) {
        if (tally.rejected() > 0) {
            // Alone, a row that is not there would be 404; as a part of a load it is in the way of the rest.
            int status = tally.leastStatus() == 404 ? 409 : tally.leastStatus();
            throw new ProblemException(new Problem(
                    status,
                    "Nothing was applied",
                    tally.rejected() + " lines could not be taken, so none was",
                    tally.sentences(),
                    Optional.empty()));
        }
    }

    private static int status(BadInputException e) {
        return e instanceof RowRefusedException refused
                ? Outcomes.problem(refused).status()
                : 400;
    }

    private static boolean atomic(Context context) {
        String text = Requests.parameter(context, "atomic").orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new ProblemException(
                    Problem.badRequest("expected parameter atomic to be true or false, but got " + text));
        }
        return text.equals("true");
    }
}
