package dev.tidemark.writer.lag;

import java.util.Map;

import dev.tidemark.progress.Progress;

/** What the index workers leave for onlookers about how far they are. */
public interface WorkerProgressReader {
    /**
     * The notes as they are now, by table and partition; a partition without a note is left out.
     *
     * @throws WorkerProgressUnavailableException when they cannot be had at the moment
     */
    Map<String, Map<Integer, Progress>> read() throws WorkerProgressUnavailableException, InterruptedException;
}
