package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamReader;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactStream;

/** A fact table as the writer sends it. A writer that stops sending is given up after a while. */
final class WriterFactStream implements FactStream {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    /** Longest silence. As long as the stream is open, a shard that should be closed waits. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final HttpURLConnection connection;
    private final FactStreamReader reader;

    private WriterFactStream(HttpURLConnection connection, FactStreamReader reader) {
        this.connection = connection;
        this.reader = reader;
    }

    /**
     * Asks for the stream and reads its head.
     *
     * @throws CannotVerifyException when there is none
     */
    static WriterFactStream open(ServiceClient writer, String path) throws CannotVerifyException {
        URI table = writer.address(path);
        try {
            HttpURLConnection connection = (HttpURLConnection) table.toURL().openConnection();
            ServiceClient.Credentials credentials = writer.credentials();
            credentials.authorization().ifPresent(text -> connection.setRequestProperty("Authorization", text));
            if (connection instanceof HttpsURLConnection secure) {
                credentials.tls().ifPresent(tls -> secure.setSSLSocketFactory(tls.getSocketFactory()));
            }
            // Unlike the other client, this one bounds the time between two pieces of an answer.
            connection.setConnectTimeout(Math.toIntExact(CONNECT_PATIENCE.toMillis()));
            connection.setReadTimeout(Math.toIntExact(SILENCE.toMillis()));
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                int status = connection.getResponseCode();
                connection.disconnect();
                throw new CannotVerifyException("the writer answered " + table + " with status " + status);
            }
            return new WriterFactStream(connection, new FactStreamReader(connection.getInputStream()));
        } catch (IOException e) {
            throw new CannotVerifyException("the writer does not send " + table + ": " + e.getMessage());
        }
    }

    @Override
    public FactStreamHead head() {
        return reader.head();
    }

    @Override
    public @Nullable StreamedFact next() throws CannotVerifyException {
        try {
            return reader.next();
        } catch (IOException e) {
            throw new CannotVerifyException("the writer's stream of facts broke off: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        // Closing the stream would read what is left of it first.
        connection.disconnect();
    }
}
