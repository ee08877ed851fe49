package dev.tidemark.http;

/** An answer without an end, on its way to one client. */
public interface Feed {
    /**
     * Sends bytes, which stay unchanged until {@link FeedPublisher#sent} is called. Not before what was sent last is
     * with the client. For one thread at a time.
     */
    void send(byte[] bytes);

    /** Ends the answer; where the client has not taken what was sent last, its connection is closed. For any thread. */
    void end();
}
