package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

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

    /** Takes in the body of an answer up to a number of bytes, for which memory is reserved as they come. */
    private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
        /** A body is held as it comes and as a whole. */
        private static final long COPIES = 2;

        private final int most;
        private final LongConsumer memory;
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final List<ByteBuffer> pieces = new ArrayList<>();
        private Flow.@Nullable Subscription source;
        private boolean given;
        private int length;

        /**
         * An empty body.
         *
         * @param most maximum length in bytes; a longer body fails with a {@link AnswerTooLongException}
         * @param memory reserves a number of bytes; the body fails with what it throws
         */
        BoundedBody(int most, LongConsumer memory) {
            this.most = most;
            this.memory = memory;
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override
        public synchronized void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
            if (given) {
                subscription.cancel();
            } else {
                subscription.request(Long.MAX_VALUE);
            }
        }

        @Override
        public synchronized void onNext(List<ByteBuffer> more) {
            if (given) {
                return;
            }
            int before = length;
            more.forEach(piece -> length += piece.remaining());
            try {
                if (length > most) {
                    throw new AnswerTooLongException(most);
                }
                memory.accept(COPIES * (length - before));
                pieces.addAll(more);
            } catch (AnswerTooLongException | RuntimeException e) {
                giveUp();
                whole.completeExceptionally(e);
            }
        }

        @Override
        public synchronized void onError(Throwable failure) {
            pieces.clear();
            whole.completeExceptionally(failure);
        }

        @Override
        public synchronized void onComplete() {
            byte[] bytes = new byte[length];
            int place = 0;
            for (ByteBuffer piece : pieces) {
                int here = piece.remaining();
                piece.get(bytes, place, here);
                place += here;
            }
            pieces.clear();
            whole.complete(bytes);
        }

        /** Takes in nothing more, which closes the connection unless the body is whole. */
        synchronized void giveUp() {
            given = true;
            pieces.clear();
            if (source != null) {
                source.cancel();
            }
        }
    }
}
