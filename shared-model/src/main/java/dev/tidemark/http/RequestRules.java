package dev.tidemark.http;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

import io.javalin.http.Context;

import dev.tidemark.row.ProblemType;

/** What every request must keep to, whoever makes it. */
final class RequestRules {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private RequestRules() {}

    /** Ends the request with a problem where it does not keep to the rules. */
    static void check(Context context) {
        limitUrl(context);
        refuseOtherSites(context);
    }

    private static void limitUrl(Context context) {
        String query = context.req().getQueryString();
        int length = context.req().getRequestURI().length() + (query == null ? 0 : query.length() + 1);
        int most = HttpLimits.USUAL.urlBytes();
        if (length > most) {
            throw new ProblemException(Problem.of(
                            414,
                            "URI too long",
                            "expected path and query of at most " + most + " bytes, but got " + length)
                    .typed(ProblemType.URL_TOO_LONG));
        }
    }

    /** A page of another site can make the browser of whoever looks at it send a POST to this machine. */
    private static void refuseOtherSites(Context context) {
        String origin = context.header("Origin");
        if (origin == null || READING.contains(context.req().getMethod().toUpperCase(Locale.ROOT))) {
            return;
        }
        if (!authority(origin).equalsIgnoreCase(String.valueOf(context.header("Host")))) {
            throw new ProblemException(
                    Problem.of(403, "Forbidden", "expected no request that a page of another site makes a browser send")
                            .typed(ProblemType.OTHER_SITE));
        }
    }

    private static String authority(String origin) {
        try {
            return String.valueOf(URI.create(origin).getAuthority());
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
