package dev.tidemark.writer.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** A bulk load of which all lines are committed together, or none. It is held in memory until then. */
final class AtomicLoad extends BulkLoad {
    private static final long COMMAND_BYTES = 256;
    private static final String OF_BYTES = "of at most %s bytes";
    private static final String OF_HEAP =
            "that takes at most %s bytes of memory, which is what memory.budget.bytes leaves for it";

    private final long maxBytes;
    private final long mostHeld;
    private final long mostQueued;
    private final Runnable release;
    private final List<WriteCommand> commands = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();
    private long received;
    private long bytes;

    /**
     * A load.
     *
     * @param maxBytes most bytes of its body, and of its rows
     * @param release run once, when the load is over
     */
    AtomicLoad(Call call, RowRules table, Submitter submitter, long maxBytes, Runnable release) {
        super(call, table, submitter);
        this.maxBytes = maxBytes;
        this.mostHeld = call.mostReservable();
        this.mostQueued = submitter.committer().mostHeapBytes();
        this.release = release;
    }

    @Override
    public boolean isHeld() {
        return true;
    }

    /** Blank lines and rejected ones count as well, for a load of them alone would keep its place without an end. */
    @Override
    public void take(byte[] piece, int length) {
        received += length;
        requireAtMost(maxBytes, received, OF_BYTES);
        super.take(piece, length);
    }

    @Override
    void add(long line, WriteCommand command) {
        bytes += bytes(command);
        commands.add(withoutTerms(command));
        numbers.add(line);
        requireAtMost(maxBytes, bytes, OF_BYTES);
        requireAtMost(mostQueued, WriteRequest.heapBytes(bytes, commands.size()), OF_HEAP);
    }

    @Override
    void need(long more) {
        requireAtMost(mostHeld, held() + more + HeldMemory.STEP_BYTES, OF_HEAP);
        super.need(more);
    }

    /** A load that does not fit into the memory even alone is never to be sent again. */
    private static void requireAtMost(long most, long found, String expected) {
        if (found > most) {
            throw new ProblemException(Problem.of(
                            413,
                            "Content too large",
                            "expected an all-or-nothing load " + expected.formatted(most)
                                    + ", but got more; nothing was applied")
                    .typed(ProblemType.LOAD_TOO_LARGE));
        }
    }

    /** What was derived may take more memory than the rows, all of which wait here; the committer derives it again. */
    private static WriteCommand withoutTerms(WriteCommand command) {
        return command instanceof WriteCommand.Put put
                ? new WriteCommand.Put(put.key(), put.row(), put.precondition())
                : command;
    }

    /** The rows, and what each command takes besides: a load of deletes has many commands in few bytes. */
    @Override
    long held() {
        return 2 * bytes + commands.size() * COMMAND_BYTES;
    }

    @Override
    void finish() {
        requireNoneRejected();
        if (!commands.isEmpty()) {
            handOver();
            List<CommitOutcome> outcomes =
                    submitter.commit(new WriteRequest(table.table().name(), commands, true, bytes).checkedBy(table));
            for (int i = 0; i < outcomes.size(); i++) {
                tally.outcome(numbers.get(i), commands.get(i), outcomes.get(i));
            }
            requireNoneRejected();
        }
    }

    @Override
    public void close() {
        release.run();
    }

    private void requireNoneRejected() {
        Optional<Problem> least = tally.least();
        if (least.isPresent()) {
            // Alone, a row that is not there would be 404; as a part of a load it is in the way of the rest.
            Problem kind = least.get().status() == 404 ? Problem.of(409, "Conflict", "") : least.get();
            String lines = tally.rejected() == 1 ? "1 line" : tally.rejected() + " lines";
            throw new ProblemException(kind.detailed(lines + " could not be taken, so nothing was applied")
                    .listing(tally.sentences()));
        }
    }
}
