package dev.tidemark.http;

/**
 * Handles a call. It runs on a separate thread once the whole body has arrived, and may wait for work inside the
 * service.
 */
@FunctionalInterface
public interface CallHandler {
    /**
     * Fills the answer of a call.
     *
     * @throws Exception which is answered with a problem
     */
    void handle(Call call) throws Exception;
}
