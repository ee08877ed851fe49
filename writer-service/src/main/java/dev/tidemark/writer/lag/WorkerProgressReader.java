package dev.tidemark.writer.lag;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.progress.Progress;
import dev.tidemark.writer.catalog.LogUnavailableException;

/** Reads the progress that the index workers record with their committed offsets. */
public interface WorkerProgressReader {
    /**
     * What is recorded of a partition.
     *
     * @param replicaGroup the workers that hold every partition once
     * @param live whether the group has members
     * @param progress empty where the worker that has the partition now has not recorded any yet
     * @param answering the numbers of the generations that answer from it there
     */
    record Noted(
            String replicaGroup,
            boolean live,
            String table,
            int partition,
            Optional<Progress> progress,
            Set<Long> answering) {}

    /**
     * Returns the present progress of every partition in every replica group.
     *
     * @throws LogUnavailableException when the progress cannot be read at the moment
     */
    List<Noted> read() throws LogUnavailableException, InterruptedException;
}
