package dev.tidemark.worker.http;

import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.eclipse.jetty.http.HttpMethod;

/**
 * A question to a service at a path, which may be asked at several addresses in turn.
 *
 * @param repeatable whether asking it twice changes nothing
 * @param path begins with a slash and may have a query
 * @param ifMatch the version that a change was made from
 */
record Question(HttpMethod method, boolean repeatable, String path, Optional<JsonNode> body, Optional<String> ifMatch) {
    /** What is at a path. */
    static Question get(String path) {
        return new Question(HttpMethod.GET, true, path, Optional.empty(), Optional.empty());
    }

    /** The head of what is at a path. */
    static Question head(String path) {
        return new Question(HttpMethod.HEAD, true, path, Optional.empty(), Optional.empty());
    }

    /** What is at a path for a body that is too long for a query. */
    static Question lookup(String path, JsonNode body) {
        return new Question(HttpMethod.POST, true, path, Optional.of(body), Optional.empty());
    }

    /** A change of a version. */
    static Question change(HttpMethod method, String path, JsonNode body, long version) {
        return new Question(method, false, path, Optional.of(body), Optional.of("\"" + version + "\""));
    }
}
