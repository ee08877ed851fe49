package dev.tidemark.writer.commit;

import java.util.List;
import java.util.Set;

/** What is asked of the committer in one go. */
public sealed interface CommitRequest permits WriteRequest, SourceRequest {
    /** The tables whose writers must be let in. */
    Set<String> tables();

    /** The rows to write, table by table. */
    List<WriteRequest> parts();

    /** Roughly what the commands occupy, for the bound on queued bytes. */
    long bytes();

    /** Heap that it takes until it is answered, about. */
    long heapBytes();

    /** How many rows it writes at most. */
    default int size() {
        return parts().stream().mapToInt(part -> part.commands().size()).sum();
    }
}
