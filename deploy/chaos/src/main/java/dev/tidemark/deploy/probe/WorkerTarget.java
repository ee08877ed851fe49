package dev.tidemark.deploy.probe;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** The public interface of one worker, as the prober uses it. Every call is bounded in time, any thread may call. */
public interface WorkerTarget {

    /** Entries of an index. */
    JsonNode query(String index, Map<String, String> parameters) throws NoAnswerException, InterruptedException;

    /** The lag summary. */
    JsonNode lag() throws NoAnswerException, InterruptedException;

    /** The metrics, as Prometheus text. */
    String metrics() throws NoAnswerException, InterruptedException;
}
