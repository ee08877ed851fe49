package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLContext;

import com.fasterxml.jackson.databind.JsonNode;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.Result;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpCookieStore;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

import dev.tidemark.http.ProblemException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;

/**
 * The way to other services, for those who ask them something. It keeps connections for later questions, and begins new
 * ones when its credentials have changed. For any thread.
 */
public final class ServiceConnection implements AutoCloseable {
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);

    /** Shorter than services wait for another question, so that none is sent into a connection that closes. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private static final Duration DESTINATION_IDLE = Duration.ofMinutes(1);
    private static final int THREADS = 8;
    private static final int MOST_CONNECTIONS = 256;
    private static final int MOST_HEADER_BYTES = 32 << 10;

    private final ServiceClient service;
    private final SslContextFactory.Client tls = new SslContextFactory.Client();
    private final HttpClient client;
    private ServiceClient.Credentials shown = ServiceClient.Credentials.NONE;
    private boolean closed;

    /** A connection that is made with the first question. */
    public ServiceConnection(ServiceClient service) {
        this.service = service;
        ClientConnector connector = new ClientConnector();
        connector.setSelectors(1);
        connector.setSslContextFactory(tls);
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, 1);
        threads.setName("calls");
        threads.setDaemon(true);
        connector.setExecutor(threads);
        connector.setScheduler(new ScheduledExecutorScheduler("calls-timer", true));
        this.client = new HttpClient(new HttpClientTransportOverHTTP(connector));
        client.setConnectTimeout(CONNECT_PATIENCE.toMillis());
        client.setIdleTimeout(IDLE.toMillis());
        client.setDestinationIdleTimeout(DESTINATION_IDLE.toMillis());
        client.setMaxConnectionsPerDestination(MOST_CONNECTIONS);
        client.setMaxResponseHeadersSize(MOST_HEADER_BYTES);
        client.setFollowRedirects(false);
        client.setHttpCookieStore(new HttpCookieStore.Empty());
        client.setUserAgentField(null);
    }

    /** The service itself. */
    public ServiceClient service() {
        return service;
    }

    /** A question about a path, which begins with a slash and may have a query. */
    Request at(String path) {
        return to(service.address(path));
    }

    /** A question to another service that takes the same token. */
    Request to(URI address) {
        ServiceClient.Credentials credentials = started();
        Request question = client.newRequest(address).idleTimeout(0, TimeUnit.MILLISECONDS);
        credentials
                .authorization()
                .ifPresent(text -> question.headers(headers -> headers.put(HttpHeader.AUTHORIZATION, text)));
        return question;
    }

    /** JSON as the body of a question. */
    static Request.Content json(JsonNode json) {
        return new BytesRequestContent("application/json", RowJson.write(json));
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
    Answer send(Request question, WriterCallLimit.Turn turn, int most) throws IOException, InterruptedException {
        Pending pending = begin(question, turn::reserve, most);
        try {
            return pending.answer().get(turn.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SocketTimeoutException("expected a whole answer in time");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AnswerTooLongException tooLong) {
                throw tooLong;
            }
            if (e.getCause() instanceof ProblemException refused) {
                throw refused;
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } finally {
            pending.giveUp();
        }
    }

    /**
     * Sends a question and does not wait.
     *
     * @param memory reserves a number of bytes, or throws; then the answer fails with that
     * @param most bytes of the body; a longer one fails with a {@link AnswerTooLongException}
     */
    Pending begin(Request question, LongConsumer memory, int most) {
        BoundedBody body = new BoundedBody(most, memory);
        question.send(body);
        return new Pending(body.whole, question);
    }

    /**
     * An answer that is awaited.
     *
     * @param question what is asked
     */
    record Pending(CompletableFuture<Answer> answer, Request question) {
        /** Closes the connection, unless the answer is whole. */
        void giveUp() {
            if (answer.cancel(true)) {
                CompletableFuture<Boolean> unused =
                        question.abort(new CancellationException("the answer is not awaited any more"));
            }
        }
    }

    /** An answer as a whole. */
    static final class Answer {
        private final Response head;
        private final byte[] body;

        private Answer(Response head, byte[] body) {
            this.head = head;
            this.body = body;
        }

        int status() {
            return head.getStatus();
        }

        /** The first header of a name. */
        Optional<String> header(HttpHeader name) {
            return Optional.ofNullable(head.getHeaders().get(name));
        }

        byte[] body() {
            return body;
        }
    }

    /** The address, as in messages. */
    @Override
    public String toString() {
        return service.toString();
    }

    /** Gives up what is under way, and takes no more questions. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            client.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Expected to stop calling " + service, e);
        }
    }

    /** What is shown. What is asked from now on trusts and shows what is in the files now. */
    private synchronized ServiceClient.Credentials started() {
        if (closed) {
            throw new IllegalStateException("Expected no question after the end of the connection to " + service);
        }
        ServiceClient.Credentials credentials = service.credentials();
        try {
            if (client.isStopped()) {
                tls.setSslContext(context(credentials));
                client.start();
                // Answers are passed on as they come: none is unpacked, repeated or followed.
                client.getProtocolHandlers().clear();
                client.getContentDecoderFactories().clear();
            } else if (!credentials.equals(shown)) {
                tls.reload(factory -> factory.setSslContext(context(credentials)));
                client.getDestinations().forEach(client::removeDestination);
            }
        } catch (Exception e) {
            throw new IllegalStateException("Expected to begin to call " + service, e);
        }
        shown = credentials;
        return credentials;
    }

    private static SSLContext context(ServiceClient.Credentials credentials) {
        return credentials.tls().orElseGet(() -> {
            try {
                return SSLContext.getDefault();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Expected Java to have a default for TLS", e);
            }
        });
    }

    /** Takes in the body of an answer up to a number of bytes, for which memory is reserved as they come. */
    private static final class BoundedBody implements Response.Listener {
        /** A body is held as it comes and as a whole. */
        private static final long COPIES = 2;

        private final int most;
        private final LongConsumer memory;
        private final CompletableFuture<Answer> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream(1 << 10);

        BoundedBody(int most, LongConsumer memory) {
            this.most = most;
            this.memory = memory;
        }

        @Override
        public void onContent(Response response, ByteBuffer more) {
            int length = more.remaining();
            try {
                if (length > most - taken.size()) {
                    throw new AnswerTooLongException(most);
                }
                memory.accept(COPIES * length);
            } catch (AnswerTooLongException | RuntimeException e) {
                whole.completeExceptionally(e);
                throw new IllegalStateException("Expected an answer that can be taken", e);
            }
            byte[] piece = new byte[length];
            more.get(piece);
            taken.write(piece, 0, length);
        }

        @Override
        public void onComplete(Result result) {
            if (result.isFailed()) {
                whole.completeExceptionally(result.getFailure());
            } else {
                whole.complete(new Answer(result.getResponse(), taken.toByteArray()));
            }
        }
    }
}
