package dev.tidemark.writer.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.StreamedBody;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.TreeSize;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/** A bulk load of which all lines are committed together, or none. It is held in memory until then. */
final class AtomicLoad implements StreamedBody {
    private static final long COMMAND_BYTES = 256;

    private final Call call;
    private final RowRules table;
    private final Submitter submitter;
    private final long maxBytes;
    private final Runnable release;
    private final LineFeed lines;
    private final LineParser parser;
    private final BulkTally tally;
    private final LoadMemory room;
    private final List<WriteCommand> commands = new ArrayList<>();
    private final List<Long> numbers = new ArrayList<>();
    private long bytes;

    /**
     * A load.
     *
     * @param maxBytes most bytes of its rows
     * @param release run once, when the load is over
     */
    AtomicLoad(Call call, RowRules table, Submitter submitter, long maxBytes, Runnable release) {
        this.call = call;
        this.table = table;
        this.submitter = submitter;
        this.maxBytes = maxBytes;
        this.release = release;
        this.lines = new LineFeed(table.maxRowBytes());
        this.parser = new LineParser(table);
        this.tally = new BulkTally(table);
        this.room = new LoadMemory(call);
    }

    @Override
    public void take(byte[] piece, int length) {
        lines.take(piece, length, this::line);
        room.need(held() + lines.keptBytes());
    }

    @Override
    public void end() {
        lines.end(this::line);
        requireNoneRejected();
        if (!commands.isEmpty()) {
            List<CommitOutcome> outcomes =
                    submitter.commit(new WriteRequest(table.table().name(), commands, true, bytes).checkedBy(table));
            for (int i = 0; i < outcomes.size(); i++) {
                tally.outcome(numbers.get(i), commands.get(i), outcomes.get(i));
            }
            requireNoneRejected();
        }
        call.result(tally.toJson());
    }

    @Override
    public void close() {
        release.run();
    }

    private void line(BulkLine line) {
        byte[] text = line.bytes();
        room.need(held() + (text == null ? 0 : TreeSize.mostBytes(text)));
        try {
            WriteCommand command = withoutTerms(parser.parse(line));
            bytes += LineParser.bytes(command);
            commands.add(command);
            numbers.add(line.number());
        } catch (BadInputException e) {
            tally.reject(line.number(), LineParser.status(e), e.getMessage());
        }
        requireRoom();
    }

    /** What was derived may take more memory than the rows, all of which wait here; the committer derives it again. */
    private static WriteCommand withoutTerms(WriteCommand command) {
        return command instanceof WriteCommand.Put put
                ? new WriteCommand.Put(put.key(), put.row(), put.precondition())
                : command;
    }

    /** The rows, and what each command takes besides: a load of deletes has many commands in few bytes. */
    private long held() {
        return 2 * bytes + commands.size() * COMMAND_BYTES;
    }

    private void requireRoom() {
        if (bytes > maxBytes) {
            throw new ProblemException(Problem.of(
                            413,
                            "Content too large",
                            "expected an all-or-nothing load of at most " + maxBytes
                                    + " bytes, but got more; nothing was applied")
                    .typed(ProblemType.LOAD_TOO_LARGE));
        }
    }

    private void requireNoneRejected() {
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
}
