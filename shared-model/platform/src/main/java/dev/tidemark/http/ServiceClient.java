package dev.tidemark.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

import dev.tidemark.access.TokenFile;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.ReloadedFiles;
import dev.tidemark.tls.TlsFiles;

/**
 * A service that is called over HTTP: where it is, who is trusted to be it, and what it is shown. It may have several
 * addresses, each of which answers for it. For any thread.
 */
public final class ServiceClient {
    private final List<String> bases;
    private final ReloadedFiles<Credentials> credentials;

    /** Index of the address to begin with. */
    private final AtomicInteger preferred = new AtomicInteger();

    /**
     * What a caller has.
     *
     * @param tls for {@code https}; empty for what Java trusts
     * @param token to show
     */
    public record Credentials(Optional<SSLContext> tls, Optional<String> token) {
        /** Nothing. */
        public static final Credentials NONE = new Credentials(Optional.empty(), Optional.empty());

        /**
         * What is in the files now.
         *
         * @throws BadSettingsException when one cannot be used
         */
        public static Credentials load(TlsFiles tls, Optional<Path> token) throws BadSettingsException {
            return new Credentials(
                    tls.isAny() ? Optional.of(tls.load()) : Optional.empty(),
                    token.isPresent() ? Optional.of(TokenFile.single(token.get())) : Optional.empty());
        }

        /** The header of that name, where there is a token. */
        public Optional<String> authorization() {
            return token.map(text -> "Bearer " + text);
        }

        /**
         * A client that trusts and shows these.
         *
         * @param connectPatience how long a connection may take to be open
         */
        public HttpClient newClient(Duration connectPatience) {
            HttpClient.Builder builder =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectPatience);
            tls.ifPresent(builder::sslContext);
            return builder.build();
        }

        /** Without the token. */
        @Override
        public String toString() {
            return "Credentials[" + (token.isPresent() ? "token" : "none") + "]";
        }
    }

    private ServiceClient(List<URI> bases, ReloadedFiles<Credentials> credentials) {
        this.bases = bases.stream()
                .map(base -> base.toString().replaceAll("/+$", ""))
                .toList();
        this.credentials = credentials;
    }

    /**
     * A service.
     *
     * @param bases its addresses, at least one, with a slash at their end or without
     * @param tls whom to trust and what to show; no files for what Java trusts
     * @param token file of the token to show
     * @throws BadSettingsException when a file cannot be used
     */
    public static ServiceClient open(List<URI> bases, TlsFiles tls, Optional<Path> token) throws BadSettingsException {
        List<Path> files = new ArrayList<>(tls.all());
        token.ifPresent(files::add);
        return new ServiceClient(
                bases,
                ReloadedFiles.open("credentials for " + bases.get(0), files, () -> Credentials.load(tls, token)));
    }

    /**
     * Creates a client of a service with the security settings of the caller.
     *
     * @throws BadSettingsException when a file cannot be used
     */
    public static ServiceClient open(List<URI> bases, SecuritySettings settings) throws BadSettingsException {
        return open(bases, settings.client(), settings.ownToken());
    }

    /**
     * Creates a client of services of the caller's own kind.
     *
     * @throws BadSettingsException when a file cannot be used
     */
    public static ServiceClient ofPeers(URI base, SecuritySettings settings) throws BadSettingsException {
        return open(List.of(base), settings.client(), settings.peerToken());
    }

    /** A service that asks for nothing. */
    public static ServiceClient plain(URI base) {
        try {
            return open(List.of(base), SecuritySettings.OPEN);
        } catch (BadSettingsException e) {
            throw new IllegalStateException("Expected nothing to be wrong with no files", e);
        }
    }

    /** What is shown now; the same object until files change. */
    public Credentials credentials() {
        return credentials.current();
    }

    /** The address of a path, which begins with a slash and may have a query. */
    public URI address(String path) {
        return URI.create(bases.get(preferred.get()) + path);
    }

    /** How many addresses it has. */
    public int count() {
        return bases.size();
    }

    /**
     * Has further calls begin with the next address.
     *
     * @param failed the address of a call that failed, as {@link #address} gave it; nothing happens where another call
     *     has moved on since
     */
    public void avoid(URI failed) {
        int now = preferred.get();
        if (failed.toString().startsWith(bases.get(now) + "/")) {
            preferred.compareAndSet(now, (now + 1) % bases.size());
        }
    }

    void refresh() {
        credentials.refresh();
    }

    /** The addresses, as in messages. */
    @Override
    public String toString() {
        return String.join(" and ", bases);
    }
}
