package dev.tidemark.writer.lag;

import java.util.Map;

import dev.tidemark.progress.Progress;
import dev.tidemark.writer.catalog.LogUnavailableException;

/** Reads the progress that the index workers record with their committed offsets. */
public interface WorkerProgressReader {
    /**
     * Returns the present progress, by table and partition; a partition without recorded progress is left out.
     *
     * @throws LogUnavailableException when the progress cannot be read at the moment
     */
    Map<String, Map<Integer, Progress>> read() throws LogUnavailableException, InterruptedException;
}
