package dev.tidemark.writer.commit;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a client asks for in one go.
 *
 * @param table name of the fact table
 * @param commands in the order in which they take effect; at least one
 * @param atomic whether a command that cannot be done keeps the others from being done
 * @param bytes roughly what the commands occupy, for the bound on queued bytes
 * @param checkedBy the rules that accepted the rows; empty where they are to be checked when they are committed
 */
public record WriteRequest(
        String table, List<WriteCommand> commands, boolean atomic, long bytes, Optional<RowRules> checkedBy)
        implements CommitRequest {
    /** What each command takes besides its row, while it waits and while it is committed. */
    private static final long COMMAND_BYTES = 512;

    public WriteRequest {
        commands = List.copyOf(commands);
        if (commands.isEmpty() || bytes < 0) {
            throw new IllegalArgumentException(
                    "Expected at least one command and no negative size, but got " + commands.size() + " and " + bytes);
        }
    }

    /** A request whose rows are checked when they are committed. */
    public WriteRequest(String table, List<WriteCommand> commands, boolean atomic, long bytes) {
        this(table, commands, atomic, bytes, Optional.empty());
    }

    /** A request of one command. */
    public static WriteRequest of(String table, WriteCommand command, long bytes) {
        return new WriteRequest(table, List.of(command), false, bytes);
    }

    /**
     * The same, whose rows these rules have accepted. They are checked again only where others are in force by then.
     */
    public WriteRequest checkedBy(RowRules rules) {
        return new WriteRequest(table, commands, atomic, bytes, Optional.of(rules));
    }

    /** Heap that commands take until they are answered, about; without what was derived of their rows. */
    public static long heapBytes(long bytes, int commands) {
        return bytes + commands * COMMAND_BYTES;
    }

    @Override
    public Set<String> tables() {
        return Set.of(table);
    }

    @Override
    public List<WriteRequest> parts() {
        return List.of(this);
    }

    @Override
    public long heapBytes() {
        return heapBytes(bytes, commands.size())
                + commands.stream().mapToLong(WriteCommand::termBytes).sum();
    }
}
