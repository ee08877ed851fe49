package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/**
 * A bulk load whose lines are committed in chunks while more of them arrive; each line that cannot be taken is left
 * out. It holds a few chunks in memory, for a load of any length, and waits for room in the queue.
 */
final class StreamedLoad extends BulkLoad {
    private static final int CHUNK_COMMANDS = 500;
    private static final long CHUNK_BYTES = 512 * 1024;
    private static final int CHUNKS_UNDER_WAY = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Deque<Chunk> underWay = new ArrayDeque<>();
    private List<WriteCommand> commands = new ArrayList<>();
    private List<Long> lines = new ArrayList<>();
    private long bytes;
    private long termBytes;
    private long bytesUnderWay;

    private record Chunk(
            List<WriteCommand> commands,
            List<Long> lines,
            long heldBytes,
            CompletableFuture<List<CommitOutcome>> outcomes) {}

    StreamedLoad(Call call, RowRules table, Submitter submitter) {
        super(call, table, submitter);
    }

    @Override
    void add(long line, WriteCommand command) {
        commands.add(command);
        lines.add(line);
        bytes += bytes(command);
        termBytes += command.termBytes();
        if (commands.size() >= CHUNK_COMMANDS || bytes >= CHUNK_BYTES) {
            send();
        }
    }

    @Override
    long held() {
        return 2 * (bytes + termBytes + bytesUnderWay);
    }

    @Override
    void finish() {
        if (!commands.isEmpty()) {
            send();
        }
        while (!underWay.isEmpty()) {
            collect();
        }
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

    /** What is under way is committed all the same. */
    @Override
    public void close() {}

    private void send() {
        if (underWay.size() >= CHUNKS_UNDER_WAY) {
            collect();
        }
        WriteRequest request = new WriteRequest(table.table().name(), commands, false, bytes).checkedBy(table);
        underWay.addLast(new Chunk(commands, lines, bytes + termBytes, submitter.begin(request, PATIENCE)));
        bytesUnderWay += bytes + termBytes;
        commands = new ArrayList<>();
        lines = new ArrayList<>();
        bytes = 0;
        termBytes = 0;
    }

    private void collect() {
        Optional<Problem> failure = settle();
        if (failure.isPresent()) {
            throw new ProblemException(failure.get());
        }
    }

    /** Waits for the oldest chunk under way; why it failed, where it did. */
    private Optional<Problem> settle() {
        Chunk chunk = underWay.removeFirst();
        bytesUnderWay -= chunk.heldBytes();
        try {
            List<CommitOutcome> outcomes = submitter.await(chunk.outcomes());
            for (int i = 0; i < outcomes.size(); i++) {
                tally.outcome(chunk.lines().get(i), chunk.commands().get(i), outcomes.get(i));
            }
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(e.problem());
        }
    }

    /** Says how much is done, after waiting for what is under way. */
    @Override
    public Problem stopped(Problem problem) {
        int failed = 0;
        Problem worst = problem;
        while (!underWay.isEmpty()) {
            Optional<Problem> further = settle();
            failed += further.isPresent() ? 1 : 0;
            worst = further.filter(one -> one.type().equals(ProblemType.OUTCOME_UNKNOWN.uri()))
                    .orElse(worst);
        }
        if (tally.committed() == 0 && failed == 0) {
            return problem;
        }
        String detail = worst.detail() + "; " + tally.committed()
                + " changes of this request had been committed before, and sending it again is safe";
        ObjectNode done = RowJson.mapper().createObjectNode().put("committed", tally.committed());
        return worst.detailed(detail).with(done);
    }
}
