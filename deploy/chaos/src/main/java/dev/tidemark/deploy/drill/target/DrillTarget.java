package dev.tidemark.deploy.drill.target;

import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The public interface of the services. Nothing is retried, and no call takes longer than a minute.
 *
 * <p>Every call throws {@link ConnectException} when nothing was sent, {@link NoReplyInTimeException} when the service
 * may still be at it, and another {@link IOException} when the connection broke, so that the outcome of the request is
 * unknown.
 */
public interface DrillTarget {

    /**
     * Writes one row.
     *
     * @param method PUT, PATCH or DELETE
     * @param key the parts of the primary key
     * @param body the row or merge patch; nothing for a delete
     */
    Reply write(String method, String table, List<String> key, JsonNode body) throws IOException, InterruptedException;

    /** Sends one bulk request, a line each. */
    Reply load(String table, List<? extends JsonNode> lines) throws IOException, InterruptedException;

    /** Asks the writer. */
    Reply writer(String path) throws IOException, InterruptedException;

    /** Asks the worker. */
    Reply worker(String path) throws IOException, InterruptedException;

    /** Asks the worker for entries; the parameters not yet encoded. */
    Reply query(String index, Map<String, String> parameters) throws IOException, InterruptedException;

    /**
     * Brings a catalog in force.
     *
     * @param version that the change is made from
     */
    Reply define(String catalog, String version) throws IOException, InterruptedException;
}
