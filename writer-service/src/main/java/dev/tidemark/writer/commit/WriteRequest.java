package dev.tidemark.writer.commit;

import java.util.List;

/**
 * What a client asks for in one go.
 *
 * @param table name of the fact table
 * @param commands in the order in which they take effect; at least one
 * @param atomic whether a command that cannot be done keeps the others from being done
 * @param bytes roughly what the commands occupy, for the bound on queued bytes
 */
public record WriteRequest(String table, List<WriteCommand> commands, boolean atomic, long bytes) {
    public WriteRequest {
        commands = List.copyOf(commands);
        if (commands.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(
                    "Expected at least one command and no negative size, but got " + commands.size() + " and " + bytes);
        }
    }

    /** A request of one command. */
    public static WriteRequest of(String table, WriteCommand command, long bytes) {
        return new WriteRequest(table, List.of(command), false, bytes);
    }
}
