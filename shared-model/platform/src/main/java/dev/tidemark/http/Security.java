package dev.tidemark.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.TokenFile;
import dev.tidemark.access.Tokens;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.ReloadedFiles;

/** What stands between the network and the calls of a service: TLS, tokens, and whether it may listen at all. */
public final class Security {
    private static final Logger LOGGER = LoggerFactory.getLogger(Security.class);

    private final Optional<ServerTls> tls;
    private final Optional<ReloadedFiles<Tokens>> tokens;
    private final Optional<AuthenticationFilter> gate;
    private final Optional<String> danger;
    private final boolean closed;

    private Security(
            Optional<ServerTls> tls,
            Optional<ReloadedFiles<Tokens>> tokens,
            Optional<AuthenticationFilter> gate,
            Optional<String> danger,
            boolean closed) {
        this.tls = tls;
        this.tokens = tokens;
        this.gate = gate;
        this.danger = danger;
        this.closed = closed;
    }

    /** Plain HTTP without tokens, for this machine. */
    public static Security none() {
        return new Security(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    /**
     * As the settings say.
     *
     * @param host where the service is to listen
     * @param indexNames every name by which a scope may mean the index that a request calls so
     * @throws BadSettingsException when the service may not listen there, or a file cannot be used
     */
    public static Security open(
            String host, SecuritySettings settings, Function<String, List<String>> indexNames, Clock clock)
            throws BadSettingsException {
        Optional<String> danger = danger(host, settings);
        if (danger.isPresent()) {
            if (!settings.insecure()) {
                throw new BadSettingsException(
                        danger.get()
                                + "; add what is missing, listen on 127.0.0.1, or set http.insecure=true to do it all the same");
            }
            LOGGER.warn("{}, and http.insecure=true: every client that reaches it may do everything", danger.get());
        }
        Optional<ServerTls> tls = settings.server().certificate().isPresent()
                ? Optional.of(ServerTls.open(settings.server()))
                : Optional.empty();
        if (settings.tokens().isEmpty()) {
            return new Security(tls, Optional.empty(), Optional.empty(), danger, settings.isClosed());
        }
        var file = settings.tokens().get();
        ReloadedFiles<Tokens> tokens = ReloadedFiles.open("file of tokens", List.of(file), () -> TokenFile.read(file));
        return new Security(
                tls,
                Optional.of(tokens),
                Optional.of(new AuthenticationFilter(tokens::current, indexNames, clock)),
                danger,
                settings.isClosed());
    }

    /**
     * Why the service is not safe on an address; empty when it is. It may listen anywhere with TLS and authentication,
     * else on this machine only.
     */
    private static Optional<String> danger(String host, SecuritySettings settings) {
        List<String> missing = new ArrayList<>();
        if (settings.server().certificate().isEmpty()) {
            missing.add("TLS (tls.certificate and tls.key)");
        }
        if (settings.tokens().isEmpty() && settings.server().trusted().isEmpty()) {
            missing.add("authentication (auth.tokens.file or tls.client.ca)");
        }
        return missing.isEmpty() || isLoopback(host)
                ? Optional.empty()
                : Optional.of("http.host=" + host + " can be reached from other machines, and there is no "
                        + String.join(" and no ", missing));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // An unknown name counts as reachable: binding to it fails anyway, unless DNS resolves it in the meantime.
            return false;
        }
    }

    Optional<ServerTls> tls() {
        return tls;
    }

    Optional<AuthenticationFilter> gate() {
        return gate;
    }

    /** Whether callers show tokens or certificates, over TLS. */
    boolean isClosed() {
        return closed;
    }

    /** Puts files that changed in force. */
    void refresh() {
        tls.ifPresent(ServerTls::refresh);
        tokens.ifPresent(ReloadedFiles::refresh);
    }

    /** Returns what an operator should know of the security of the service; empty when all is as it should be. */
    List<Health.Check> notes() {
        List<Health.Check> notes = new ArrayList<>();
        danger.ifPresent(detail -> notes.add(Health.Check.noted("security", detail)));
        tls.flatMap(side -> side.files().trouble())
                .ifPresent(detail -> notes.add(Health.Check.noted("security", detail)));
        tokens.flatMap(ReloadedFiles::trouble).ifPresent(detail -> notes.add(Health.Check.noted("security", detail)));
        return notes;
    }
}
