package dev.tidemark.deploy.probe;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowVersion;

/** The public interfaces of writer and worker, as the prober uses them. Every call is bounded in time, any thread may call. */
public interface ProbeTarget {

    /** The tables, as the writer answers {@code GET /v1/tables}. */
    JsonNode tables() throws NoAnswerException, InterruptedException;

    /**
     * Inserts or replaces a row.
     *
     * @param key the parts of its primary key
     */
    RowVersion put(String table, List<String> key, ObjectNode row) throws NoAnswerException, InterruptedException;

    /** Deletes a row. */
    void delete(String table, List<String> key) throws NoAnswerException, InterruptedException;

    /** Entries of an index. */
    JsonNode query(String index, Map<String, String> parameters) throws NoAnswerException, InterruptedException;

    /** The worker's lag summary. */
    JsonNode lag() throws NoAnswerException, InterruptedException;

    /** The worker's metrics, as Prometheus text. */
    String workerMetrics() throws NoAnswerException, InterruptedException;

    /** The writer's metrics, as Prometheus text. */
    String writerMetrics() throws NoAnswerException, InterruptedException;
}
