package dev.tidemark.deploy.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.target.ServiceCaller;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/**
 * A writer and the workers that follow it, as the prober uses them.
 *
 * @param writer calls the writer
 * @param workers call one worker each; at least one
 */
public record ProbeTarget(ServiceCaller writer, List<ServiceCaller> workers) {
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    /** Services at those URLs; nothing is connected yet. */
    public static ProbeTarget at(ServiceCallers callers, URI writer, List<URI> workers) {
        return new ProbeTarget(
                callers.at(writer, Probe.PATIENCE),
                workers.stream().map(url -> callers.at(url, Probe.PATIENCE)).toList());
    }

    /**
     * Inserts or replaces a row.
     *
     * @param key the parts of its primary key
     */
    public RowVersion put(String table, List<String> key, ObjectNode row)
            throws NoAnswerException, InterruptedException {
        String path = ServiceCaller.rowOf(table, key);
        Reply reply = ok(path, () -> writer.call("PUT", path, JSON, RowJson.write(row)));
        String version = json(reply).path("version").asText();
        try {
            return RowVersion.parse(version);
        } catch (IllegalArgumentException e) {
            throw new NoAnswerException("the writer answered a write with version " + version, false);
        }
    }

    /** Deletes a row. */
    void delete(String table, List<String> key) throws NoAnswerException, InterruptedException {
        String path = ServiceCaller.rowOf(table, key);
        ok(path, () -> writer.call("DELETE", path, Map.of(), new byte[0]));
    }

    /** What the writer's commit clock shows. */
    public Instant commitClock() throws NoAnswerException, InterruptedException {
        String now = json(writer, "/v1/clock").path("now").asText();
        try {
            return Instant.parse(now);
        } catch (DateTimeParseException e) {
            throw new NoAnswerException("the writer says that its clock shows " + now, false);
        }
    }

    /** What a service answers to a GET request, as JSON. */
    public static JsonNode json(ServiceCaller service, String path) throws NoAnswerException, InterruptedException {
        return json(ok(path, () -> service.get(path)));
    }

    /** What a service answers to a GET request, as text. */
    public static String text(ServiceCaller service, String path) throws NoAnswerException, InterruptedException {
        return ok(path, () -> service.get(path)).body();
    }

    private static JsonNode json(Reply reply) throws NoAnswerException {
        JsonNode json = reply.json();
        if (json.isMissingNode()) {
            throw new NoAnswerException("expected JSON, but got something else; is it a Tidemark service?", false);
        }
        return json;
    }

    /** A request that was not sent yet. */
    private interface Call {
        Reply send() throws IOException, InterruptedException;
    }

    private static Reply ok(String path, Call call) throws NoAnswerException, InterruptedException {
        try {
            Reply reply = call.send();
            if (!reply.ok()) {
                throw new NoAnswerException(path + " was answered " + reply, reply.status() / 100 == 4);
            }
            return reply;
        } catch (IOException e) {
            throw new NoAnswerException(String.valueOf(e.getMessage()), e instanceof ConnectException);
        }
    }

    /** A service could not be reached, did not answer in time, or answered with an error. */
    public static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1L;

        private final boolean refused;

        /**
         * No useful answer.
         *
         * @param refused whether the service answered and surely did nothing; otherwise a write may have happened
         */
        public NoAnswerException(String message, boolean refused) {
            super(message);
            this.refused = refused;
        }

        public boolean refused() {
            return refused;
        }
    }
}
