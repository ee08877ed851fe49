package dev.tidemark.http;

import java.time.Duration;
import java.util.Locale;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.http.NotFoundResponse;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Caller;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.DiskFault;

/** Turns whatever a handler throws into a problem answer. */
public final class ErrorMapping {
    private static final Logger LOGGER = LoggerFactory.getLogger(ErrorMapping.class);

    private static final Problem INTERNAL =
            Problem.of(500, "Internal error", "the request failed inside the service; see its log");
    private static final Problem DISK_FAILED = Problem.retryable(
                    503,
                    "Disk failed",
                    "the disk of the service failed at what the request needs; see its log",
                    Duration.ofSeconds(1))
            .typed(ProblemType.DISK_FAILED);

    private ErrorMapping() {}

    static void addTo(RoutesConfig routes) {
        routes.exception(ProblemException.class, (e, context) -> answer(context, e.problem()));
        routes.exception(BadInputException.class, (e, context) -> answer(context, Problem.badRequest(e)));
        routes.exception(HttpResponseException.class, (e, context) -> answer(context, framework(e, context)));
        routes.exception(EofException.class, (e, context) -> {
            LOGGER.debug("A client went before its request was whole", e);
            answer(context, Problem.badRequest("expected a whole request body, but the connection broke off"));
        });
        routes.exception(Exception.class, (e, context) -> {
            LOGGER.error("Request {} {} failed", context.method(), context.req().getRequestURI(), e);
            answer(context, e instanceof DiskFault fault && fault.isDiskFailure() ? DISK_FAILED : INTERNAL);
        });
    }

    /** Answers with a problem. */
    public static void answer(Context context, Problem problem) {
        // Who has not shown who they are does not make the service read all that they send.
        boolean stranger = Access.caller(context).equals(Caller.ANONYMOUS);
        UnreadBody.discard(context, stranger ? UnreadBody.MOST_BYTES_OF_STRANGERS : UnreadBody.MOST_BYTES);
        if (problem.status() == 401) {
            context.header("WWW-Authenticate", "Bearer realm=\"tidemark\"");
        }
        problem.retryAfter()
                .ifPresent(after -> context.header("Retry-After", Long.toString(Math.max(1, after.toSeconds()))));
        context.status(problem.status());
        // The media type has no charset parameter: JSON is UTF-8.
        context.res().setCharacterEncoding((String) null);
        context.contentType("application/problem+json");
        context.result(RowJson.write(problem.toJson()));
    }

    private static Problem framework(HttpResponseException e, Context context) {
        String request = context.method() + " " + context.req().getRequestURI();
        if (e instanceof NotFoundResponse) {
            return Problem.notFound("nothing is at " + request + "; see /openapi.yaml for what is");
        }
        if (e instanceof MethodNotAllowedResponse) {
            return Problem.of(405, "Method not allowed", request + " is not possible; see /openapi.yaml for what is");
        }
        return Problem.of(
                e.getStatus(), "Request refused", String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT));
    }
}
