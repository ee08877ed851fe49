package dev.tidemark.writer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.StreamedBody;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.TreeSize;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;

/** A bulk load. Each line is a row to put, or {@code {"$delete": <key>}}. */
abstract class BulkLoad implements StreamedBody {
    private static final String DELETE = "$delete";

    final RowRules table;
    final Submitter submitter;
    final BulkTally tally;

    /** Whether a line was larger than a row may be. */
    boolean tooLarge;

    private final Call call;
    private final LineFeed lines;
    private final HeldMemory memory;

    BulkLoad(Call call, RowRules table, Submitter submitter) {
        this.call = call;
        this.memory = new HeldMemory(call);
        this.table = table;
        this.submitter = submitter;
        this.lines = new LineFeed(table.maxRowBytes());
        this.tally = new BulkTally(table);
    }

    /** Takes in the command of a line. */
    abstract void add(long line, WriteCommand command);

    /** Bytes that the load holds. */
    abstract long held();

    /** Ends the load, all of whose lines were taken in. */
    abstract void finish();

    @Override
    public void take(byte[] piece, int length) {
        lines.take(piece, length, this::line);
        need(lines.keptBytes());
    }

    @Override
    public void end() {
        lines.end(this::line);
        finish();
        call.result(tally.toJson());
    }

    /**
     * Reserves memory for what the load holds and some more bytes.
     *
     * @throws ProblemException 503 when there is too little left
     */
    void need(long more) {
        memory.need(held() + more);
    }

    /** Gives back the memory of what the load holds, because something else counts it from now on. */
    void handOver() {
        memory.need(0);
    }

    /** Roughly what a command occupies. */
    static long bytes(WriteCommand command) {
        long row = command instanceof WriteCommand.Put put ? put.row().bytes().length : 0;
        return row + command.key().length();
    }

    private void line(long number, byte @Nullable [] bytes) {
        need(bytes == null ? 0 : TreeSize.mostBytes(bytes));
        try {
            add(number, command(bytes));
        } catch (BadInputException e) {
            Problem problem =
                    e instanceof RowRefusedException refused ? CommandAnswers.problem(refused) : Problem.badRequest(e);
            tooLarge |= problem.status() == 413;
            tally.reject(number, problem);
        }
    }

    private WriteCommand command(byte @Nullable [] bytes) throws BadInputException {
        if (bytes == null) {
            throw new RowRefusedException(
                    RowRefusedException.Kind.TOO_LARGE,
                    "expected a line of at most " + table.maxRowBytes() + " bytes, but it is longer");
        }
        ObjectNode json = RowJson.parseObject(bytes);
        if (!json.has(DELETE)) {
            return table.accept(table.keyOf(json), json);
        }
        if (json.size() != 1) {
            throw new BadJsonException("expected a row, or {\"" + DELETE + "\": <key>} alone, but got both");
        }
        return new WriteCommand.Delete(table.table().keyFromJson(json.get(DELETE)), Precondition.NONE);
    }
}
