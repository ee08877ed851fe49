package dev.tidemark.http;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.ProblemType;

/**
 * The host names that a service answers to. A page in a browser may come from a host name that resolves to this
 * machine. The browser then does not treat the page's requests as cross-site, but their {@code Host} is not a name of
 * the service.
 */
final class HostRule {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|::1");

    private final boolean everyone;
    private final Set<String> names = new TreeSet<>();

    private HostRule(boolean everyone) {
        this.everyone = everyone;
    }

    /**
     * A rule.
     *
     * @param listening the address or name on which the service listens
     * @param allowed further names
     * @param secured whether callers show tokens over TLS; then names matter only where some are given
     */
    static HostRule of(String listening, Set<String> allowed, boolean secured) {
        HostRule rule = new HostRule(secured && allowed.isEmpty());
        rule.names.add(bare(listening));
        allowed.forEach(name -> rule.names.add(bare(name)));
        return rule;
    }

    /**
     * Goes on when a request is for this service. A request without {@code Host}, which HTTP/1.0 allows, passes: no
     * browser sends one.
     *
     * @throws ProblemException 421 when it is for another
     */
    void check(HttpFields headers) {
        @Nullable String host = headers.get(HttpHeader.HOST);
        if (everyone || host == null || knows(host)) {
            return;
        }
        throw new ProblemException(Problem.of(
                        421,
                        "Misdirected request",
                        "expected a Host that is localhost, an address of this machine alone, or one of " + names
                                + ", but got " + host + "; http.allowed.hosts adds names")
                .typed(ProblemType.UNKNOWN_HOST));
    }

    private boolean knows(String host) {
        String name = bare(host);
        return LOOPBACK.matcher(name).matches() || names.contains(name);
    }

    private static String bare(String host) {
        try {
            return new HostPort(host.trim()).getHost().toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return host;
        }
    }
}
