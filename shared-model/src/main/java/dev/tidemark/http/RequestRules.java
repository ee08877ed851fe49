package dev.tidemark.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.ProblemType;

/** Checks the rules that every request must follow, from any client. */
final class RequestRules {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final HostRule hosts;

    RequestRules(HostRule hosts) {
        this.hosts = hosts;
    }

    /** Ends the request with a problem where it does not keep to the rules. */
    void check(Request request) {
        limitUrl(request.getHttpURI().getPathQuery().length());
        HttpFields headers = request.getHeaders();
        hosts.check(headers);
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
        int most = HttpLimits.USUAL.urlBytes();
        if (length > most) {
            throw new ProblemException(Problem.of(
                            414,
                            "URI too long",
                            "expected path and query of at most " + most + " bytes, but got " + length)
                    .typed(ProblemType.URL_TOO_LONG));
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
