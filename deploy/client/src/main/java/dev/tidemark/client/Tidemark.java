package dev.tidemark.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * A client of one deployment: a writer and its index workers. Keep one for the life of a program; it holds the
 * connections. After {@link #close()} every call fails with an {@link IllegalStateException}.
 */
public final class Tidemark implements AutoCloseable {
    private final Options options;
    private final Timing timing;
    private final AtomicReference<@Nullable HttpClient> http;
    private final Service writer;
    private final Service worker;

    private Tidemark(Options options, Timing timing, HttpClient http) {
        this.options = options;
        this.timing = timing;
        this.http = new AtomicReference<>(http);
        this.writer = service(options.writers());
        this.worker = service(options.workers());
    }

    /** Options to fill in. */
    public static Options.Builder options() {
        return new Options.Builder();
    }

    /** A client. It connects with the first call. */
    public static Tidemark connect(Options options) {
        return connect(options, new RealTiming());
    }

    static Tidemark connect(Options options, Timing timing) {
        HttpClient.Builder http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(options.connectTimeout());
        options.tls().ifPresent(http::sslContext);
        return new Tidemark(options, timing, http.build());
    }

    /** A session that has written nothing yet. */
    public Session session() {
        return session(List.of());
    }

    /**
     * A session that reads what others wrote.
     *
     * @param tokens of writes, or {@link Session#tokens()} of a session elsewhere
     * @throws IllegalArgumentException when a text is no token
     */
    public Session session(Collection<String> tokens) {
        return new Session(this, options, tokens);
    }

    /** The writers, for any call. */
    public Service writer() {
        return writer;
    }

    /** The index workers, for any call. */
    public Service worker() {
        return worker;
    }

    /**
     * A service elsewhere, called with the same options.
     *
     * @param urls where it is, at least one; several are of writers of one deployment, or of workers of one
     * @throws IllegalArgumentException when one is no URL of a service
     */
    public Service at(URI... urls) {
        return service(
                Stream.of(urls).map(url -> Options.service(url.toString())).toList());
    }

    private Service service(List<URI> urls) {
        return new Service(urls, options, this::http, timing);
    }

    Timing timing() {
        return timing;
    }

    private HttpClient http() {
        return Optional.ofNullable(http.get()).orElseThrow(() -> new IllegalStateException("The client is closed"));
    }

    /** Ends the use of the client. From Java 21 on, calls under way end first. */
    @Override
    public void close() {
        Object last = http.getAndSet(null);
        if (last instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) {
                throw new IllegalStateException("The HTTP client cannot be closed", e);
            }
        }
    }

    @Override
    public String toString() {
        return "Tidemark[writers=" + writer + ", workers=" + worker + "]";
    }

    /** The clocks of the process. */
    private static final class RealTiming implements Timing {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        }

        @Override
        public double random() {
            return ThreadLocalRandom.current().nextDouble();
        }
    }
}
