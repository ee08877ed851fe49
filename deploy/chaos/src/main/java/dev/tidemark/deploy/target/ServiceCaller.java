package dev.tidemark.deploy.target;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;

/** Calls one service over its public interface. Every call is bounded in time, and any thread may call. */
@FunctionalInterface
public interface ServiceCaller {
    /**
     * Sends a request and waits for the whole answer.
     *
     * @param path with its query, encoded
     * @param headers by name
     * @param body empty for none
     * @throws ConnectException when nothing was sent
     * @throws NoReplyInTimeException when the service may carry the request out later
     * @throws IOException when the connection broke, so that the outcome of the request is unknown
     */
    Reply call(String method, String path, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException;

    /** Sends a GET request. */
    default Reply get(String path) throws IOException, InterruptedException {
        return call("GET", path, Map.of(), new byte[0]);
    }

    /**
     * What is answered to a GET request.
     *
     * @throws IOException also where that is no success, or no JSON
     */
    default JsonNode json(String path) throws IOException, InterruptedException {
        JsonNode json = get(path).require(path).json();
        if (json.isMissingNode()) {
            throw new IOException("expected JSON, but got something else; is it a Tidemark service?");
        }
        return json;
    }

    /** What a writer's commit clock shows. */
    default Instant commitClock() throws IOException, InterruptedException {
        String now = json("/v1/clock").path("now").asText();
        try {
            return Instant.parse(now);
        } catch (DateTimeParseException e) {
            throw new IOException("the writer says that its clock shows " + now, e);
        }
    }

    /**
     * Writes one row, at a writer.
     *
     * @param method PUT, PATCH or DELETE
     * @param key the parts of the primary key
     * @param body the row or merge patch; nothing for a delete
     */
    default Reply write(String method, String table, List<String> key, JsonNode body)
            throws IOException, InterruptedException {
        String path =
                rowsOf(table) + "/" + key.stream().map(ServiceCalls::encoded).collect(Collectors.joining(","));
        if (method.equals("DELETE")) {
            return call(method, path, Map.of(), new byte[0]);
        }
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return call(method, path, Map.of("Content-Type", type), RowJson.write(body));
    }

    /** Sends one bulk request of a line each, at a writer. */
    default Reply load(String table, List<? extends JsonNode> lines) throws IOException, InterruptedException {
        byte[] body = lines.stream()
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
        return call("POST", rowsOf(table), Map.of("Content-Type", "application/x-ndjson"), body);
    }

    /** Path of the rows of a table, at a writer. */
    static String rowsOf(String table) {
        return "/v1/tables/" + ServiceCalls.encoded(table) + "/rows";
    }

    /** Path of a query, at a worker; the parameters not yet encoded. */
    static String entriesOf(String index, Map<String, String> parameters) {
        return "/v1/indexes/" + ServiceCalls.encoded(index) + "/entries?"
                + parameters.entrySet().stream()
                        .map(parameter -> ServiceCalls.encoded(parameter.getKey()) + "="
                                + ServiceCalls.encoded(parameter.getValue()))
                        .collect(Collectors.joining("&"));
    }

    /**
     * What a service answered.
     *
     * @param status HTTP status
     * @param body as text
     */
    public record Reply(int status, String body) {
        public boolean ok() {
            return status / 100 == 2;
        }

        /** This answer, where it is a success; {@code what} was requested, for the message. */
        public Reply require(String what) throws IOException {
            if (!ok()) {
                throw new IOException(what + " was answered " + this);
            }
            return this;
        }

        /** Whether a service says that it takes no writes now, and that no part of this one was applied. */
        public boolean isRefusedWrite() {
            JsonNode problem = json();
            return problem.path("type").asText().equals(ProblemType.WRITES_UNAVAILABLE.uri())
                    && !problem.has("committed");
        }

        /** The body; a missing node where that is not a JSON object. */
        public JsonNode json() {
            try {
                return RowJson.parseEnvelope(body.getBytes(StandardCharsets.UTF_8));
            } catch (BadJsonException e) {
                return MissingNode.getInstance();
            }
        }

        /** Status and detail, for messages. */
        @Override
        public String toString() {
            return status + " " + json().path("detail").asText(body);
        }
    }

    /** A service took a request and did not answer in time: it may carry the request out later. */
    public static final class NoReplyInTimeException extends IOException {
        private static final long serialVersionUID = 1;

        public NoReplyInTimeException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Gives access to services; nothing is connected yet. */
    @FunctionalInterface
    public interface ServiceCallers {
        /**
         * Calls of the service at a URL.
         *
         * @param patience how long a call may take, the body of the answer included
         */
        ServiceCaller at(URI service, Duration patience);
    }
}
