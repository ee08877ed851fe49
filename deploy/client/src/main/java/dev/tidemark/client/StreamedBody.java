package dev.tidemark.client;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;

/**
 * A body that can be read once, in one attempt to send it. Measures how long the service alone is waited for: while no
 * piece of the body is, and after its end.
 */
final class StreamedBody implements BodyPublisher {
    private final BodyPublisher body;
    private final Timing timing;
    private volatile boolean opened;

    /** How many pieces are to be read. */
    private long wanted;

    /** How many calls for pieces have not returned. The JDK reads one piece ahead in such a call, before it sends. */
    private int calls;

    private boolean ended;

    /** When a piece was read last, or the attempt began. */
    private long since;

    StreamedBody(BodyPublisher body, Timing timing) {
        this.body = body;
        this.timing = timing;
        this.since = timing.nanos();
    }

    /** Whether some of it may have been read, so that another attempt could lack that. */
    boolean isOpened() {
        return opened;
    }

    /** How long the service has taken nothing of the body and given no answer; zero while a piece is read. */
    synchronized Duration waited() {
        return (wanted > 0 || calls > 0) && !ended ? Duration.ZERO : Duration.ofNanos(timing.nanos() - since);
    }

    private synchronized void want(long pieces) {
        wanted = Math.max(wanted + pieces, wanted);
        calls++;
    }

    private synchronized void called() {
        calls--;
        since = timing.nanos();
    }

    private synchronized void pieceRead() {
        wanted--;
        since = timing.nanos();
    }

    private synchronized void end() {
        ended = true;
        since = timing.nanos();
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        opened = true;
        body.subscribe(new Watched(subscriber));
    }

    /** Passes everything on, and notes it before. */
    private final class Watched implements Subscriber<ByteBuffer> {
        private final Subscriber<? super ByteBuffer> sender;

        Watched(Subscriber<? super ByteBuffer> sender) {
            this.sender = sender;
        }

        @Override
        public void onSubscribe(Subscription source) {
            sender.onSubscribe(new Subscription() {
                @Override
                public void request(long pieces) {
                    want(pieces);
                    try {
                        source.request(pieces);
                    } finally {
                        called();
                    }
                }

                @Override
                public void cancel() {
                    source.cancel();
                }
            });
        }

        @Override
        public void onNext(ByteBuffer piece) {
            pieceRead();
            sender.onNext(piece);
        }

        @Override
        public void onError(Throwable failure) {
            end();
            sender.onError(failure);
        }

        @Override
        public void onComplete() {
            end();
            sender.onComplete();
        }
    }
}
