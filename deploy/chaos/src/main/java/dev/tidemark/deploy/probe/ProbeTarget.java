package dev.tidemark.deploy.probe;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowVersion;

/**
 * The public interface of the writer, and the workers, as the prober uses them. Every call is bounded in time, any
 * thread may call.
 */
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

    /** The writer's metrics, as Prometheus text. */
    String writerMetrics() throws NoAnswerException, InterruptedException;

    /** What the writer's commit clock shows. */
    Instant commitClock() throws NoAnswerException, InterruptedException;

    /** The workers that follow this writer; at least one. */
    List<WorkerTarget> workers();
}
