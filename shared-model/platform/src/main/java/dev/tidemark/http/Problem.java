package dev.tidemark.http;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;

/**
 * An error answer as in RFC 9457.
 *
 * @param type names the kind for programs: {@code tidemark:} and a name, or {@code about:blank} where the status says
 *     all
 * @param status HTTP status, 400 to 599
 * @param title the kind of problem, the same for all of its kind
 * @param detail what was wrong this time and what was expected
 * @param errors the single problems, where there are several
 * @param retryAfter when trying again may help
 * @param members further members, for programs; none has the name of a member above
 * @param allowed the methods that are possible, where the method was not; in a header, not in the body
 */
public record Problem(
        String type,
        int status,
        String title,
        String detail,
        List<String> errors,
        Optional<Duration> retryAfter,
        Map<String, JsonNode> members,
        Optional<String> allowed) {
    private static final String UNNAMED = "about:blank";

    public Problem {
        errors = List.copyOf(errors);
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    public Problem(int status, String title, String detail, List<String> errors, Optional<Duration> retryAfter) {
        this(UNNAMED, status, title, detail, errors, retryAfter, Map.of(), Optional.empty());
    }

    /** A problem that trying again does not help. */
    public static Problem of(int status, String title, String detail) {
        return new Problem(status, title, detail, List.of(), Optional.empty());
    }

    /** A problem that may be gone after a while. */
    public static Problem retryable(int status, String title, String detail, Duration retryAfter) {
        return new Problem(status, title, detail, List.of(), Optional.of(retryAfter));
    }

    public static Problem badRequest(String detail) {
        return of(400, "Bad request", detail);
    }

    /** What a user sent cannot be accepted; where a limit was exceeded, the problem is named after it. */
    public static Problem badRequest(BadInputException mistake) {
        List<String> single = mistake.problems();
        Problem problem = badRequest(mistake.getMessage()).listing(single.size() > 1 ? single : List.of());
        return mistake.limit().map(problem::typed).orElse(problem);
    }

    public static Problem notFound(String detail) {
        return of(404, "Not found", detail);
    }

    /** Returns the same problem with the members of an object added, for programs. */
    public Problem with(ObjectNode more) {
        Map<String, JsonNode> all = new LinkedHashMap<>(members);
        more.properties().forEach(member -> all.put(member.getKey(), member.getValue()));
        return new Problem(type, status, title, detail, errors, retryAfter, all, allowed);
    }

    /** The same with another detail. */
    public Problem detailed(String text) {
        return new Problem(type, status, title, text, errors, retryAfter, members, allowed);
    }

    /** The same, with single problems. */
    public Problem listing(List<String> single) {
        return new Problem(type, status, title, detail, single, retryAfter, members, allowed);
    }

    /** The same, saying which methods are possible. */
    Problem allowing(String methods) {
        return new Problem(type, status, title, detail, errors, retryAfter, members, Optional.of(methods));
    }

    /** The same, of a kind that programs know by its name. */
    public Problem typed(ProblemType kind) {
        return new Problem(kind.uri(), status, title, detail, errors, retryAfter, members, allowed);
    }

    ObjectNode toJson() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("type", type);
        json.put("title", title);
        json.put("status", status);
        json.put("detail", detail);
        if (!errors.isEmpty()) {
            ArrayNode list = json.putArray("errors");
            errors.forEach(error -> list.addObject().put("detail", error));
        }
        members.forEach(json::set);
        return json;
    }
}
