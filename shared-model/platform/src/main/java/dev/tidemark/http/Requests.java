package dev.tidemark.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.TreeSize;

/** Reads requests, and answers with a problem where one is not as expected. */
public final class Requests {
    /** Methods that a page of another site cannot make a browser use. */
    private static final Set<String> UNSENDABLE = Set.of("PUT", "PATCH");

    private Requests() {}

    /**
     * The whole body as one JSON object.
     *
     * @throws ProblemException 503 when there is too little memory for it
     */
    public static ObjectNode object(Call call) throws BadInputException {
        byte[] body = call.body();
        call.reserveTree(TreeSize.mostBytes(body));
        return RowJson.parseObject(body);
    }

    /**
     * Refuses a body of another type. Only PUT and PATCH may leave it out and so mean the first accepted one: pages of
     * other sites can make a browser send a POST without a type, but neither of those.
     *
     * @throws ProblemException 415 when the type is none of the accepted ones
     */
    public static void requireType(Call call, String... accepted) {
        String type = call.contentType();
        boolean usual = type == null ? UNSENDABLE.contains(call.method()) : type.equals(accepted[0]);
        if (usual) {
            return;
        }
        String bare = bare(type);
        if (!List.of(accepted).contains(bare)) {
            throw new ProblemException(Problem.of(
                            415,
                            "Unsupported media type",
                            "expected Content-Type " + String.join(" or ", accepted) + ", but got " + bare)
                    .typed(ProblemType.MEDIA_TYPE));
        }
    }

    /** Whether the body is sent as JSON. */
    public static boolean isJson(Call call) {
        return bare(call.contentType()).equals("application/json");
    }

    /** A media type in lower case and without its parameters; {@code none} where none is given. */
    static String bare(@Nullable String type) {
        return type == null ? "none" : type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
    }

    /**
     * The comma-separated parts of the last path segment, each percent-decoded after the split, so that an encoded
     * comma stays in its part.
     *
     * @throws ProblemException 400 when the encoding is broken
     */
    public static List<String> lastSegmentParts(Call call) {
        String path = call.path();
        String segment = path.substring(path.lastIndexOf('/') + 1);
        List<String> parts = new ArrayList<>();
        for (String part : segment.split(",", -1)) {
            parts.add(RouteTable.decoded(part));
        }
        return parts;
    }

    /** A query parameter that may be given once. */
    public static Optional<String> parameter(Call call, String name) {
        List<String> values = call.queryParams(name);
        if (values.size() > 1) {
            throw new ProblemException(
                    Problem.badRequest("expected parameter " + name + " once, but got it " + values.size() + " times"));
        }
        return values.stream().findFirst();
    }

    /**
     * A query parameter that is {@code true} or {@code false}, which it is when it is not given.
     *
     * @throws ProblemException 400 when it is anything else
     */
    public static boolean flag(Call call, String name) {
        String text = parameter(call, name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new ProblemException(
                    Problem.badRequest("expected parameter " + name + " to be true or false, but got " + text));
        }
        return text.equals("true");
    }

    /**
     * How many are asked for, in query parameter {@code limit}.
     *
     * @param preset for when nothing is said, unless that is too many
     * @throws ProblemException 400 when it is not a whole number from 1 to the most
     */
    public static int limit(Call call, int preset, int most) {
        Optional<String> text = parameter(call, "limit");
        if (text.isEmpty()) {
            return Math.min(preset, most);
        }
        @Nullable Integer number = parsed(text.get());
        if (number == null || number < 1 || number > most) {
            Problem problem = Problem.badRequest(
                    "expected parameter limit to be a whole number from 1 to " + most + ", but got " + text.get());
            throw new ProblemException(
                    number != null && number > most ? problem.typed(ProblemType.LIMIT_TOO_LARGE) : problem);
        }
        return number;
    }

    private static @Nullable Integer parsed(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            // Digits alone are a number all the same, larger than any limit.
            return text.matches("\\d+") ? Integer.MAX_VALUE : null;
        }
    }
}
