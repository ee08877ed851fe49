package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;

/** Problem answers for requests that fail before any handler sees them, such as a malformed request line. */
final class JettyProblems extends ErrorHandler {
    private static final Map<Integer, ProblemType> TYPES =
            Map.of(408, ProblemType.TOO_SLOW, 414, ProblemType.URL_TOO_LONG, 431, ProblemType.HEADERS_TOO_LARGE);

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? HttpStatus.INTERNAL_SERVER_ERROR_500 : response.getStatus();
        Problem problem = Problem.of(status, title(status), detail(request, status));
        if (TYPES.containsKey(status)) {
            problem = problem.typed(TYPES.get(status));
        }
        response.setStatus(status);
        ConnectionMetaData connection = request.getConnectionMetaData();
        if (!connection.isPersistent() || connection.getConnector().getServer().isStopping()) {
            // Said in words: who keeps connections would send the next request into this one.
            response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.write(true, ByteBuffer.wrap(RowJson.write(problem.toJson())), callback);
        return true;
    }

    /** In the case that other titles have: the message of the status with capitals in its first word alone. */
    private static String title(int status) {
        String message = HttpStatus.getMessage(status);
        int end = message.indexOf(' ');
        return end < 0
                ? message
                : message.substring(0, end) + message.substring(end).toLowerCase(Locale.ROOT);
    }

    private static String detail(Request request, int status) {
        if (status == HttpStatus.URI_TOO_LONG_414) {
            return "expected path and query of at most " + HttpLimits.URL_BYTES + " bytes, but got more";
        }
        if (status == HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431) {
            return "expected request line and headers of at most " + HttpLimits.HEADER_BYTES
                    + " bytes together, and at most " + HttpLimits.MOST_HEADERS + " headers, but got more";
        }
        Object reason = request.getAttribute(ERROR_MESSAGE);
        if (status == HttpStatus.BAD_REQUEST_400) {
            boolean known = reason != null && !reason.equals(HttpStatus.getMessage(status));
            return "expected a request line and headers as HTTP has them, with a path of percent-encoded UTF-8, but got a"
                    + " malformed request" + (known ? ": " + reason : "");
        }
        return reason == null ? "the request was refused" : reason.toString();
    }
}
