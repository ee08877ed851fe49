package dev.tidemark.http;

/** What a call does. Runs on a thread of its own once the whole body is there, and may wait for what the service does itself. */
@FunctionalInterface
public interface CallHandler {
    /**
     * Fills the answer of a call.
     *
     * @throws Exception which is answered with a problem
     */
    void handle(Call call) throws Exception;
}
