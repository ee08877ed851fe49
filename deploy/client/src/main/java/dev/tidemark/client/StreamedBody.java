package dev.tidemark.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;

/** A body that can be read once, in one attempt to send it. */
final class StreamedBody implements BodyPublisher {
    private final BodyPublisher body;
    private volatile boolean opened;

    StreamedBody(BodyPublisher body) {
        this.body = body;
    }

    /** Whether some of it may have been read, so that another attempt could lack that. */
    boolean isOpened() {
        return opened;
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        opened = true;
        body.subscribe(subscriber);
    }
}
