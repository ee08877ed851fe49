package dev.tidemark.http;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * A call that is answered by the thread that reads the network, wherever nothing about a request is out of the ordinary.
 * Whatever is, the ordinary route of the same call answers, which says what is wrong: a direct call knows no problems.
 *
 * @param method the method of its requests
 * @param path its path; {@code *} stands for any one segment that needs no decoding
 * @param need what it needs of its caller; the first such segment names the index or the table
 * @param bodyBytes longest body; 0 for requests without one
 * @param work what it does
 */
public record DirectCall(String method, String path, Need need, int bodyBytes, Work work) {

    /** What a direct call does. Must neither wait nor read from a disk. */
    @FunctionalInterface
    public interface Work {
        /**
         * Begins to answer.
         *
         * @return the answer once there is one; empty to leave the request to the ordinary route, as any exception does,
         *     and then nothing has been done
         */
        Optional<CompletionStage<DirectAnswer>> begin(DirectRequest request) throws Exception;
    }

    /** The segments of a path that stand for any; null where the path is not of this call, or needs decoding. */
    @Nullable
    List<String> names(String actual) {
        return PathShape.names(path, actual);
    }
}
