package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleRoutesTest {
    private static final Pattern IMPORT = Pattern.compile("from \"\\./([^\"]+)\"");
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"/console/([^\"]+)\"");
    private static final int MOST_LINES = 300;
    /** What makes markup of text; a name of XML that nobody fetches is no outside resource. */
    private static final List<String> UNWANTED =
            List.of("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://", "https://");

    private static final String NAMESPACE = "http://www.w3.org/2000/svg";

    private final WorkerServer server;

    ConsoleRoutesTest() throws Exception {
        // Nobody listens there.
        server = new WorkerServer(URI.create("http://127.0.0.1:1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void servesExactlyThePartsThatThePageAsksFor() throws Exception {
        Set<String> asked = new TreeSet<>(matches(REFERENCE, server.text("/")));
        for (String part : ConsoleRoutes.PARTS) {
            asked.addAll(matches(IMPORT, server.text("/console/" + part)));
        }
        assertThat(ConsoleRoutes.PARTS).containsExactlyInAnyOrderElementsOf(asked);
    }

    @Test
    void forbidsWhateverComesFromElsewhere() throws Exception {
        for (String path : List.of("/", "/console/main.js", "/console/base.css", "/console/icon.svg")) {
            HttpResponse<byte[]> answer = server.get(path);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .startsWith("default-src 'none';")
                    .doesNotContain("unsafe", "*", "http:");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        }
    }

    @Test
    void namesTheTypeOfEachPart() throws Exception {
        assertThat(typeOf("/")).startsWith("text/html");
        assertThat(typeOf("/console/main.js")).startsWith("text/javascript");
        assertThat(typeOf("/console/base.css")).startsWith("text/css");
        assertThat(typeOf("/console/icon.svg")).startsWith("image/svg+xml");
    }

    @Test
    void partsAreShortAndMakeNoMarkupOfText() throws Exception {
        assertThat(server.text("/")).startsWith("<!doctype html>").doesNotContain("<style", "style=\"", "onclick=");
        for (String part : ConsoleRoutes.PARTS) {
            String text = server.text("/console/" + part);
            assertThat(text.lines().count()).as(part).isLessThanOrEqualTo(MOST_LINES);
            assertThat(UNWANTED).as(part).noneMatch(text.replace(NAMESPACE, "")::contains);
        }
    }

    @Test
    void servesNothingElseFromTheClassPath() throws Exception {
        for (String name : List.of("index.html", "openapi.yaml", "..%2fopenapi.yaml", "nothing.js")) {
            HttpResponse<byte[]> answer = server.get("/console/" + name);
            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("parts of the console");
        }
    }

    private String typeOf(String path) throws Exception {
        return server.get(path).headers().firstValue("Content-Type").orElse("");
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }
}
