package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;

/** What a request is answered, while it is put together. By one thread at a time. */
final class Answer {
    static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";

    /** One header. */
    record Header(String name, String value) {}

    final List<Header> headers = new ArrayList<>(2);
    int status = 200;
    /** Media type. */
    String type = JSON;

    ByteBuffer body = EMPTY;

    @Nullable
    BodyChunks pieces;

    @Nullable
    FeedPublisher follower;

    /** Completes once the answer is filled; null where it is. */
    @Nullable
    CompletionStage<?> rest;

    void header(String name, String value) {
        headers.add(new Header(name, value));
    }

    /** Begins again: what was filled in until now is not sent. */
    void clear() {
        headers.clear();
        status = 200;
        type = JSON;
        body = EMPTY;
        if (pieces != null) {
            pieces.close();
            pieces = null;
        }
        if (follower != null) {
            follower.closed();
            follower = null;
        }
    }

    /** Answers with a problem, and discards what was filled in before. */
    void problem(Problem problem) {
        clear();
        status = problem.status();
        type = PROBLEM;
        if (status == 401) {
            header("WWW-Authenticate", "Bearer realm=\"tidemark\"");
        }
        problem.retryAfter().ifPresent(after -> header("Retry-After", seconds(after)));
        problem.allowed().ifPresent(methods -> header("Allow", methods));
        body = ByteBuffer.wrap(RowJson.write(problem.toJson()));
    }

    private static String seconds(Duration time) {
        return Long.toString(Math.max(1, time.toSeconds()));
    }
}
