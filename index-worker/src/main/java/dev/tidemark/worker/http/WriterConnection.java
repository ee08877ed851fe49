package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Peer;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;

/** The way to the writer service, for those who ask it something. For any thread. */
final class WriterConnection {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    private final Peer peer;
    private final Duration patience;
    private @Nullable HttpClient client;
    private Peer.@Nullable Credentials clientsCredentials;

    /**
     * A connection that is made with the first question.
     *
     * @param patience how long to wait for the head of an answer
     */
    WriterConnection(Peer writer, Duration patience) {
        this.peer = writer;
        this.patience = patience;
    }

    /** A question about a path, which begins with a slash and may have a query. */
    HttpRequest.Builder at(String path) {
        return peer.at(path).timeout(patience);
    }

    /** A question for the rows with some keys. */
    HttpRequest.Builder lookup(TableDefinition table, List<KeyBytes> keys) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        ArrayNode list = json.putArray("keys");
        for (KeyBytes key : keys) {
            try {
                list.add(table.keyToJson(key));
            } catch (MalformedKeyException e) {
                throw new IllegalStateException("Expected a key of table " + table.name(), e);
            }
        }
        return at("/v1/tables/" + table.name() + "/rows:lookup")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(RowJson.write(json)));
    }

    /** The answer with its whole body. */
    HttpResponse<byte[]> send(HttpRequest.Builder question) throws IOException, InterruptedException {
        return client().send(question.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** The address, as in messages. */
    @Override
    public String toString() {
        return peer.toString();
    }

    /** The client, made again when what it trusts and shows has changed. */
    private synchronized HttpClient client() {
        Peer.Credentials credentials = peer.credentials();
        HttpClient present = client;
        if (present == null || !credentials.equals(clientsCredentials)) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(patience.compareTo(CONNECT_PATIENCE) < 0 ? patience : CONNECT_PATIENCE);
            credentials.tls().ifPresent(builder::sslContext);
            present = builder.build();
            client = present;
            clientsCredentials = credentials;
        }
        return present;
    }
}
