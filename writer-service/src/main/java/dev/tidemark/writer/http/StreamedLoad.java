package dev.tidemark.writer.http;

import java.util.Optional;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.StreamedBody;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.TreeSize;
import dev.tidemark.writer.commit.RowRules;

/** A bulk load whose lines are committed while more of them arrive; each line that cannot be taken is left out. */
final class StreamedLoad implements StreamedBody {
    private final Call call;
    private final LineFeed lines;
    private final LineParser parser;
    private final BulkTally tally;
    private final BulkStream stream;
    private final LoadMemory room;
    private boolean tooLarge;

    StreamedLoad(Call call, RowRules table, Submitter submitter) {
        this.call = call;
        this.lines = new LineFeed(table.maxRowBytes());
        this.parser = new LineParser(table);
        this.tally = new BulkTally(table);
        this.stream = new BulkStream(table, submitter, tally);
        this.room = new LoadMemory(call);
    }

    @Override
    public void take(byte[] bytes, int length) {
        lines.take(bytes, length, this::line);
        need(lines.keptBytes());
    }

    @Override
    public void end() {
        lines.end(this::line);
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
        call.result(tally.toJson());
    }

    /** What is under way is committed all the same. */
    @Override
    public void close() {}

    private void line(BulkLine line) {
        byte[] bytes = line.bytes();
        need(bytes == null ? 0 : TreeSize.mostBytes(bytes));
        try {
            stream.add(line.number(), parser.parse(line));
        } catch (BadInputException e) {
            int status = LineParser.status(e);
            tooLarge |= status == 413;
            tally.reject(line.number(), status, e.getMessage());
        }
    }

    private void need(long more) {
        try {
            room.need(2 * stream.bytes() + more);
        } catch (ProblemException e) {
            throw stream.stoppedMidway(e.problem());
        }
    }
}
