package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.tidemark.http.Call;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;

/**
 * Routes of the console: the page at {@code /} and its parts below {@code /console}. The content security policy
 * forbids the browser to load anything from elsewhere, and to run a script that is not one of the parts.
 */
final class ConsoleRoutes {
    /** Every part of the page; what is not named here is not served. */
    static final List<String> PARTS =
            List.of(("answer.js base.css chart.js dom.js feed.js format.js icon.svg indexes.js journal.js legend.js"
                            + " lifecycle.js main.js parts.css quarantine.js query.js stream.js summary.js tables.js token.js"
                            + " tracks.js tree.js why.js workers.js")
                    .split(" ", -1));

    private static final String FOLDER = "/dev/tidemark/worker/console/";
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private ConsoleRoutes() {}

    static List<Route> routes() {
        byte[] page = resource("index.html");
        Map<String, byte[]> parts =
                PARTS.stream().collect(Collectors.toUnmodifiableMap(Function.identity(), ConsoleRoutes::resource));
        return List.of(
                Route.get("/", Permission.NOTHING, call -> answer(call, "index.html", page)),
                Route.get("/console/{part}", Permission.NOTHING, call -> part(call, parts)));
    }

    private static void part(Call call, Map<String, byte[]> parts) {
        String name = call.pathParam("part");
        byte[] part = Optional.ofNullable(parts.get(name))
                .orElseThrow(() -> new ProblemException(
                        Problem.notFound("expected one of the parts of the console, but got " + name)));
        answer(call, name, part);
    }

    private static void answer(Call call, String name, byte[] content) {
        call.header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                // A page and parts of different versions must never meet.
                .header("Cache-Control", "no-cache")
                .contentType(String.valueOf(TYPES.get(name.substring(name.lastIndexOf('.') + 1))))
                .result(content);
    }

    private static byte[] resource(String name) {
        try (InputStream in = ConsoleRoutes.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw new IllegalStateException("Expected a resource " + FOLDER + name + " on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
