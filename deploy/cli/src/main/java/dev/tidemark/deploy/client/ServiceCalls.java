package dev.tidemark.deploy.client;

import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

/** Requests to one service, whose answers are JSON. */
public interface ServiceCalls {
    /**
     * Sends a request.
     *
     * @param path with the query, encoded
     * @param body empty for none
     */
    JsonNode send(String method, String path, Map<String, String> headers, String body)
            throws ServiceException, InterruptedException;

    /**
     * Sends rows as they are read, and waits for the answer as long as it takes.
     *
     * @param ndjson opens the rows, one JSON object a line
     */
    JsonNode stream(String path, Supplier<InputStream> ndjson) throws ServiceException, InterruptedException;

    default JsonNode get(String path) throws ServiceException, InterruptedException {
        return send("GET", path, Map.of(), "");
    }

    /** Requests something that needs no body. */
    default JsonNode post(String path) throws ServiceException, InterruptedException {
        return send("POST", path, Map.of(), "");
    }

    /** Text as it stands in a part of a path. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
