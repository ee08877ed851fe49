package dev.tidemark.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.ProblemType;

/**
 * Checks the rules that every request must follow, from any client.
 *
 * <p>One of them is the host that it is for. A page in a browser may come from a host name that resolves to this
 * machine. The browser then does not treat the page's requests as cross-site, but their {@code Host} is not a name of
 * the service.
 */
final class RequestRules {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|::1");

    private final boolean anyHost;
    private final Set<String> hosts = new TreeSet<>();

    /**
     * Rules.
     *
     * @param listening the address or name on which the service listens
     * @param allowed further names that requests may be sent to
     * @param secured whether callers show tokens over TLS; then names matter only where some are given
     */
    RequestRules(String listening, Set<String> allowed, boolean secured) {
        this.anyHost = secured && allowed.isEmpty();
        hosts.add(bare(listening));
        allowed.forEach(name -> hosts.add(bare(name)));
    }

    /** Ends the request with a problem where it does not keep to the rules. */
    void check(Request request) {
        limitUrl(request.getHttpURI().getPathQuery().length());
        HttpFields headers = request.getHeaders();
        refuseOtherHosts(headers.get(HttpHeader.HOST));
        if (!READING.contains(request.getMethod())) {
            refuseOtherSites(headers);
        }
        refuseCodings(headers);
        if (headers.getFields(HttpHeader.AUTHORIZATION).size() > 1) {
            throw new ProblemException(Problem.badRequest(
                    "expected one Authorization header, but got several, of which one may be wrong"));
        }
    }

    private static void limitUrl(int length) {
        int most = HttpLimits.URL_BYTES;
        if (length > most) {
            throw new ProblemException(Problem.of(
                            414,
                            "URI too long",
                            "expected path and query of at most " + most + " bytes, but got " + length)
                    .typed(ProblemType.URL_TOO_LONG));
        }
    }

    /** A request without {@code Host}, which HTTP/1.0 allows, passes: no browser sends one. */
    private void refuseOtherHosts(@Nullable String host) {
        if (anyHost || host == null || LOOPBACK.matcher(bare(host)).matches() || hosts.contains(bare(host))) {
            return;
        }
        throw new ProblemException(Problem.of(
                        421,
                        "Misdirected request",
                        "expected a Host that is localhost, an address of this machine alone, or one of " + hosts
                                + ", but got " + host + "; http.allowed.hosts adds names")
                .typed(ProblemType.UNKNOWN_HOST));
    }

    private static String bare(String host) {
        try {
            return new HostPort(host.trim()).getHost().toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return host;
        }
    }

    /** A page of another site can make the browser of the one who looks at it send a POST to this machine. */
    private static void refuseOtherSites(HttpFields headers) {
        @Nullable String site = headers.get("Sec-Fetch-Site");
        @Nullable String origin = headers.get("Origin");
        boolean other = site != null && site.toLowerCase(Locale.ROOT).matches("cross-site|same-site");
        if (other || (origin != null && !authority(origin).equalsIgnoreCase(headers.get(HttpHeader.HOST)))) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "expected no request that a page of another site makes a browser send")
                            .typed(ProblemType.OTHER_SITE));
        }
    }

    private static void refuseCodings(HttpFields headers) {
        List<String> content = headers.getCSV(HttpHeader.CONTENT_ENCODING, false);
        if (content.stream().anyMatch(coding -> !coding.equalsIgnoreCase("identity"))) {
            throw new ProblemException(Problem.of(
                            415,
                            "Unsupported media type",
                            "expected a body without Content-Encoding, but got " + String.join(", ", content))
                    .typed(ProblemType.MEDIA_TYPE));
        }
        List<String> transfer = headers.getCSV(HttpHeader.TRANSFER_ENCODING, false);
        if (endsUnclearly(headers)) {
            throw new ProblemException(Problem.of(
                    501,
                    "Not implemented",
                    "expected no Transfer-Encoding but chunked, but got " + String.join(", ", transfer)));
        }
    }

    /** Whether a proxy or server that reads the codings of a request differently may see its end elsewhere. */
    static boolean endsUnclearly(HttpFields headers) {
        return headers.getCSV(HttpHeader.TRANSFER_ENCODING, false).stream()
                .anyMatch(coding -> !coding.equalsIgnoreCase("chunked"));
    }

    private static String authority(String origin) {
        try {
            return String.valueOf(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
