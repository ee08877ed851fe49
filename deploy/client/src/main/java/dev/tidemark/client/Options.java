package dev.tidemark.client;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Where the services are, who calls them, and how patiently. Made by {@link Tidemark#options()}.
 *
 * @param writers URLs of the writers; the first is tried first
 * @param workers URLs of index workers, which answer alike
 * @param token gives the token to show
 * @param tls whom to trust and what to show; empty for whom the JDK trusts
 * @param connectTimeout until a connection is open
 * @param requestTimeout until an answer is whole; a query may take its {@code wait} beside that, and a load the time
 *     that its source takes
 * @param retryFor no attempt at a call begins later than that after the first one
 * @param mapper converts rows
 */
public record Options(
        List<URI> writers,
        List<URI> workers,
        Optional<Supplier<String>> token,
        Optional<SSLContext> tls,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration retryFor,
        ObjectMapper mapper) {
    public Options {
        writers = List.copyOf(writers);
        workers = List.copyOf(workers);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "Options[writers=" + writers + ", workers=" + workers + "]";
    }

    /** Collects options. Not for several threads. */
    public static final class Builder {
        private final List<URI> writers = new ArrayList<>();
        private final List<URI> workers = new ArrayList<>();
        private final Pem pem = new Pem();
        private Optional<Supplier<String>> token = Optional.empty();
        private Optional<SSLContext> tls = Optional.empty();
        private Duration connectTimeout = Duration.ofSeconds(5);
        private Duration requestTimeout = Duration.ofSeconds(30);
        private Duration retryFor = Duration.ofSeconds(30);
        private Optional<ObjectMapper> mapper = Optional.empty();

        Builder() {}

        /** Adds the URL of a writer; {@code http://127.0.0.1:8081} where none is added. */
        public Builder writer(String url) {
            writers.add(service(url));
            return this;
        }

        /** Adds the URL of an index worker; {@code http://127.0.0.1:8082} where none is added. */
        public Builder worker(String url) {
            workers.add(service(url));
            return this;
        }

        /**
         * The token to show. White space around it, such as the line end of a file, does not count.
         *
         * @throws IllegalArgumentException when it is not of visible ASCII; the message does not show it
         */
        public Builder token(String text) {
            String usable = Options.token(text);
            return token(() -> usable);
        }

        /**
         * Gives the token to show, before each attempt at a call, on any thread. A call with one that {@link
         * #token(String)} would refuse throws the same, and sends nothing.
         */
        public Builder token(Supplier<String> current) {
            token = Optional.of(current);
            return this;
        }

        /** File of the certificates that sign those of the services, PEM; instead of those that the JDK trusts. */
        public Builder trust(Path certificates) {
            pem.trusted = Optional.of(certificates);
            return this;
        }

        /**
         * Files of the certificate to show, followed by those that signed it, and of its key.
         *
         * @param certificate PEM
         * @param key PKCS #8 in PEM, not encrypted
         */
        public Builder certificate(Path certificate, Path key) {
            pem.certificate = Optional.of(certificate);
            pem.key = Optional.of(key);
            return this;
        }

        /** Takes the place of {@link #trust} and {@link #certificate}. */
        public Builder sslContext(SSLContext context) {
            tls = Optional.of(context);
            return this;
        }

        /** Until a connection is open; 5 s where it is not set. */
        public Builder connectTimeout(Duration time) {
            connectTimeout = time;
            return this;
        }

        /**
         * Until the answer to one attempt is whole, at least {@link #connectTimeout}; 30 s where it is not set. Of a
         * load, it is for each time in which the service takes nothing of it, and for the answer after its end.
         */
        public Builder requestTimeout(Duration time) {
            requestTimeout = time;
            return this;
        }

        /**
         * After one attempt at each URL, none begins later than that after the first; 30 s where it is not set.
         */
        public Builder retryFor(Duration time) {
            retryFor = time;
            return this;
        }

        /** Converts rows; where it is not set, one that keeps numbers exact and ignores fields that a class lacks. */
        public Builder mapper(ObjectMapper rows) {
            mapper = Optional.of(rows);
            return this;
        }

        /**
         * The options.
         *
         * @throws IllegalArgumentException when a file cannot be used; the message names it and nothing in it. Or when
         *     a timeout is zero, or that of a request ends before that of its connection, so that it would be unknown
         *     whether it was sent
         */
        public Options build() {
            if (connectTimeout.toMillis() <= 0 || requestTimeout.compareTo(connectTimeout) < 0) {
                throw new IllegalArgumentException("expected connectTimeout above zero, and requestTimeout of at least"
                        + " that, but got " + connectTimeout + " and " + requestTimeout);
            }
            return new Options(
                    writers.isEmpty() ? List.of(service("http://127.0.0.1:8081")) : writers,
                    workers.isEmpty() ? List.of(service("http://127.0.0.1:8082")) : workers,
                    token,
                    tls.or(pem::context),
                    connectTimeout,
                    requestTimeout,
                    retryFor,
                    mapper.orElseGet(Options::usualMapper));
        }
    }

    static ObjectMapper usualMapper() {
        return JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    /** A token that a header can hold. */
    static String token(String text) {
        String token = text.strip();
        if (!token.matches("[!-~]+")) {
            throw new IllegalArgumentException("expected a token of visible ASCII characters");
        }
        return token;
    }

    /**
     * The URL of a service.
     *
     * @throws IllegalArgumentException when the text is none
     */
    static URI service(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null && List.of("http", "https").contains(url.getScheme())) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new IllegalArgumentException("expected an http:// or https:// URL, but got " + text);
    }
}
