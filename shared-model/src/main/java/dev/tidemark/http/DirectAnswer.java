package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

import dev.tidemark.row.RowJson;

/**
 * The answer to a direct call.
 *
 * @param type the media type
 * @param headers beside those of the content
 * @param body the content
 */
public record DirectAnswer(int status, String type, Map<String, String> headers, ByteBuffer body) {
    public DirectAnswer {
        headers = Map.copyOf(headers);
    }

    /**
     * JSON.
     *
     * @param body which the answer takes over
     */
    public static DirectAnswer json(int status, Map<String, String> headers, byte[] body) {
        return new DirectAnswer(status, "application/json", headers, ByteBuffer.wrap(body));
    }

    /** A problem that came up when it was too late to leave the request to the ordinary route. */
    public static DirectAnswer problem(Problem problem) {
        return new DirectAnswer(
                problem.status(),
                "application/problem+json",
                problem.retryAfter()
                        .map(DirectAnswer::seconds)
                        .map(text -> Map.of("Retry-After", text))
                        .orElse(Map.of()),
                ByteBuffer.wrap(RowJson.write(problem.toJson())));
    }

    private static String seconds(Duration time) {
        return Long.toString(Math.max(1, time.toSeconds()));
    }
}
