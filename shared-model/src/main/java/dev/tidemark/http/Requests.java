package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.row.ProblemType;

/** Reading of requests, with a problem answer for whatever is not as expected. */
public final class Requests {
    private static final Logger LOGGER = LoggerFactory.getLogger(Requests.class);

    /** Methods that a page of another site cannot make a browser use. */
    private static final Set<String> UNSENDABLE = Set.of("PUT", "PATCH");

    private Requests() {}

    /**
     * The whole body.
     *
     * @throws ProblemException 413 when it is longer than the given number of bytes, whatever its header says
     */
    public static byte[] body(Context context, int maxBytes) {
        long announced = context.req().getContentLengthLong();
        if (announced > maxBytes) {
            throw tooLarge(maxBytes);
        }
        try (InputStream in = context.req().getInputStream()) {
            // Not more room than is needed: most bodies are small, and there is one a request.
            byte[] body = in.readNBytes(announced >= 0 ? (int) announced : maxBytes + 1);
            if (body.length > maxBytes) {
                throw tooLarge(maxBytes);
            }
            return body;
        } catch (IOException e) {
            LOGGER.debug("A client went before its request was whole", e);
            throw new ProblemException(
                    Problem.badRequest("expected a whole request body, but the connection broke off"));
        }
    }

    /**
     * Refuses a body of another type. Only PUT and PATCH may leave it out and so mean the first accepted one: pages of other
     * sites can make a browser send a POST without a type, but neither of those.
     *
     * @throws ProblemException 415 when the type is none of the accepted ones
     */
    public static void requireType(Context context, String... accepted) {
        String type = context.contentType();
        if (type == null && UNSENDABLE.contains(context.req().getMethod())) {
            return;
        }
        String bare = type == null ? "none" : type.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
        if (!List.of(accepted).contains(bare)) {
            throw new ProblemException(Problem.of(
                            415,
                            "Unsupported media type",
                            "expected Content-Type " + String.join(" or ", accepted) + ", but got " + bare)
                    .typed(ProblemType.MEDIA_TYPE));
        }
    }

    /**
     * The comma-separated parts of the last path segment, each percent-decoded after the split, so that an encoded comma
     * stays in its part.
     *
     * @throws ProblemException 400 when the encoding is broken
     */
    public static List<String> lastSegmentParts(Context context) {
        String path = context.req().getRequestURI();
        String segment = path.substring(path.lastIndexOf('/') + 1);
        List<String> parts = new ArrayList<>();
        for (String part : segment.split(",", -1)) {
            parts.add(decoded(part));
        }
        return parts;
    }

    /** A query parameter that may be given once. */
    public static Optional<String> parameter(Context context, String name) {
        List<String> values = context.queryParams(name);
        if (values.size() > 1) {
            throw new ProblemException(
                    Problem.badRequest("expected parameter " + name + " once, but got it " + values.size() + " times"));
        }
        return values.stream().findFirst();
    }

    /**
     * How many are asked for, in query parameter {@code limit}.
     *
     * @param preset for when nothing is said, unless that is too many
     * @throws ProblemException 400 when it is not a whole number from 1 to the most
     */
    public static int limit(Context context, int preset, int most) {
        Optional<String> text = parameter(context, "limit");
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
            return null;
        }
    }

    private static String decoded(String part) {
        try {
            // In a path, unlike in a form, a plus sign is a plus sign.
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.badRequest("expected a percent-encoded key, but got " + part));
        }
    }

    private static ProblemException tooLarge(int maxBytes) {
        return new ProblemException(
                Problem.of(413, "Content too large", "expected a body of at most " + maxBytes + " bytes, but got more")
                        .typed(ProblemType.BODY_TOO_LARGE));
    }
}
