package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;

import static dev.tidemark.worker.http.JsonValues.object;

/** The way to the writer service, for those who ask it something. For any thread. */
final class WriterConnection {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final ServiceClient peer;
    private @Nullable HttpClient client;
    private ServiceClient.@Nullable Credentials clientsCredentials;

    /** A connection that is made with the first question. */
    WriterConnection(ServiceClient writer) {
        this.peer = writer;
    }

    /** A question about a path, which begins with a slash and may have a query. */
    HttpRequest.Builder at(String path) {
        return peer.at(path);
    }

    /** A question for the rows with some keys. */
    HttpRequest.Builder lookup(TableDefinition table, List<KeyBytes> keys) {
        ObjectNode json = object();
        ArrayNode list = json.putArray("keys");
        keys.forEach(key -> list.add(QueryResultJson.key(table, key)));
        return at("/v1/tables/" + table.name() + "/rows:lookup")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(RowJson.write(json)));
    }

    /**
     * The answer with its whole body.
     *
     * @param turn at the end of which the answer must be whole, and which reserves memory for it
     * @param most bytes of its body
     * @throws AnswerTooLongException when the body is longer
     * @throws IOException when there is no whole answer in time
     * @throws ProblemException when the turn has no memory for it
     */
    HttpResponse<byte[]> send(HttpRequest.Builder question, WriterCallLimit.Turn turn, int most)
            throws IOException, InterruptedException {
        BoundedBody body = new BoundedBody(most, turn::reserve);
        // The client's own limit of time ends with the head of an answer.
        CompletableFuture<HttpResponse<byte[]>> answer = client().sendAsync(question.build(), head -> body);
        try {
            return answer.get(turn.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("expected a whole answer in time");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AnswerTooLongException tooLong) {
                throw tooLong;
            }
            if (e.getCause() instanceof ProblemException refused) {
                throw refused;
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            answer.cancel(true);
            body.giveUp();
        }
    }

    /** The address, as in messages. */
    @Override
    public String toString() {
        return peer.toString();
    }

    /** The client, made again when what it trusts and shows has changed. */
    private synchronized HttpClient client() {
        ServiceClient.Credentials credentials = peer.credentials();
        HttpClient present = client;
        if (present == null || !credentials.equals(clientsCredentials)) {
            present = credentials.newClient(CONNECT_PATIENCE);
            client = present;
            clientsCredentials = credentials;
        }
        return present;
    }
}
