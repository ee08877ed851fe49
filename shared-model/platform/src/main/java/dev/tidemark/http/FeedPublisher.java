package dev.tidemark.http;

/** Sends an answer without an end, from separate threads. */
public interface FeedPublisher {
    /** Called once, when the head of the answer can be sent. */
    void open(Feed feed);

    /** Called whenever what was sent last is with the client, on a network thread: must not wait. */
    void sent();

    /** Called once when the answer is over, for any reason, also when it was never opened. */
    void closed();
}
