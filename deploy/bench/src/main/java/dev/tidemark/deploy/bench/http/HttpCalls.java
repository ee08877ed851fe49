package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/**
 * Calls over HTTP/1.1 with keep-alive. For any thread.
 *
 * @param patience the longest time until a connection and until an answer
 */
record HttpCalls(HttpClient client, Duration patience) {
    private static final int NOT_FOUND = 404;

    /** One answer. */
    record Answer(URI uri, int status, String body) {
        static Answer of(HttpResponse<String> response) {
            return new Answer(response.uri(), response.statusCode(), response.body());
        }

        boolean isMissing() {
            return status == NOT_FOUND;
        }

        /** The same answer, which must have a status of 2xx. */
        Answer requireDone() throws BenchException {
            if (status / 100 != 2) {
                throw new BenchException(uri + " answered " + status + ": " + body);
            }
            return this;
        }

        /** The body of an answer whose status must be 2xx. */
        JsonNode json() throws BenchException {
            try {
                return RowJson.parseEnvelope(requireDone().body.getBytes(StandardCharsets.UTF_8));
            } catch (BadJsonException e) {
                throw new BenchException(uri + " answered " + body, e);
            }
        }
    }

    static HttpCalls within(Duration patience) {
        return new HttpCalls(ServiceClient.Credentials.NONE.newClient(patience), patience);
    }

    HttpRequest.Builder to(URI service, String path) {
        return HttpRequest.newBuilder(service.resolve(path)).timeout(patience);
    }

    /** Sends a request with a body of a media type. */
    HttpRequest.Builder to(URI service, String path, String type) {
        return to(service, path).header("Content-Type", type);
    }

    Answer send(HttpRequest.Builder request) throws BenchException, InterruptedException {
        try {
            return Answer.of(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
        } catch (IOException e) {
            throw new BenchException(request.build().uri() + " gave no answer: " + e.getMessage(), e);
        }
    }
}
