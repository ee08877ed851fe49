package dev.tidemark.deploy.http;

import java.io.InputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.client.Request;
import dev.tidemark.client.Service;
import dev.tidemark.client.TidemarkException;
import dev.tidemark.deploy.client.NothingAnswersException;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.UnansweredException;
import dev.tidemark.deploy.client.UnavailableException;

/**
 * Requests to a service, whose failures are messages for people.
 *
 * @param name what the command line calls it: writer or worker
 */
record JsonCalls(Service service, String name) implements ServiceCalls {
    private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(20);

    @Override
    public JsonNode send(String method, String path, Map<String, String> headers, String body)
            throws ServiceException, InterruptedException {
        Request request = path.startsWith("/health/")
                ? Request.get(path).within(HEALTH_PATIENCE)
                : method.equals("GET") ? Request.get(path) : Request.write(method, path);
        Request whole = body.isEmpty() ? request : request.with("text/plain", body.getBytes(StandardCharsets.UTF_8));
        return send(whole.with(headers));
    }

    @Override
    public JsonNode stream(String path, Supplier<InputStream> ndjson) throws ServiceException, InterruptedException {
        return send(Request.stream(path, ndjson));
    }

    private JsonNode send(Request request) throws ServiceException, InterruptedException {
        try {
            return service.send(request);
        } catch (TidemarkException.Interrupted e) {
            // The exception reports it, and the mark of the thread would report it once more.
            Thread.interrupted();
            throw new InterruptedException(e.getMessage());
        } catch (TidemarkException e) {
            throw failure(e);
        }
    }

    private ServiceException failure(TidemarkException e) {
        Throwable cause = e.getCause();
        if (cause instanceof ConnectException) {
            return new NothingAnswersException("nothing answers at " + service + "; start the " + name
                    + " with: tidemark stack --data DIR --catalog FILE (or say where it is with --" + name
                    + " URL)");
        }
        if (cause != null) {
            String why = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
            boolean unknown = e instanceof TidemarkException.OutcomeUnknown;
            return new UnansweredException("the " + name + " at " + service + " broke off: " + why
                    + (unknown ? "; what was requested may have been done" : ""));
        }
        String what = "the " + name + " "
                + (e instanceof TidemarkException.Refused refused
                                && refused.problem().body().has("checks")
                        ? unready(refused)
                        : e.getMessage());
        return e instanceof TidemarkException.Unavailable ? new UnavailableException(what) : new ServiceException(what);
    }

    /** The checks for which it is not ready. */
    private static String unready(TidemarkException.Refused e) {
        StringBuilder text = new StringBuilder("is not ready");
        for (JsonNode check : e.problem().body().path("checks")) {
            if ("DOWN".equals(check.path("status").asText())) {
                text.append("\n  - ")
                        .append(check.path("name").asText())
                        .append(": ")
                        .append(check.path("detail").asText("show a token to see why"));
            }
        }
        return text.toString();
    }
}
