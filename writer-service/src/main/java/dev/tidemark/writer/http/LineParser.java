package dev.tidemark.writer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;

/** A line of a bulk load as a command: a row to put, or {@code {"$delete": <key>}}. */
final class LineParser {
    private static final String DELETE = "$delete";

    private final RowRules table;

    LineParser(RowRules table) {
        this.table = table;
    }

    /**
     * The command of a line.
     *
     * @throws BadInputException when it is none; {@link RowRefusedException} when its row cannot enter the table
     */
    WriteCommand parse(BulkLine line) throws BadInputException {
        byte[] bytes = line.bytes();
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

    /** The status that a line which was not taken would have had alone. */
    static int status(BadInputException mistake) {
        return mistake instanceof RowRefusedException refused
                ? CommandAnswers.problem(refused).status()
                : 400;
    }

    /** Roughly what a command occupies. */
    static long bytes(WriteCommand command) {
        long row = command instanceof WriteCommand.Put put ? put.row().bytes().length : 0;
        return row + command.key().length();
    }
}
