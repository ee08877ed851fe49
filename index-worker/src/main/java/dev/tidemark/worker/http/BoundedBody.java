package dev.tidemark.worker.http;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;

/** Takes in the body of an answer up to a number of bytes, for which memory is reserved as they come. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    /** A body is held as it comes and as a whole. */
    private static final long COPIES = 2;

    private final int most;
    private final LongConsumer memory;
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final List<ByteBuffer> pieces = new ArrayList<>();
    private Flow.@Nullable Subscription source;
    private boolean given;
    private int length;

    /**
     * An empty body.
     *
     * @param most maximum length in bytes; a longer body fails with a {@link AnswerTooLongException}
     * @param memory reserves a number of bytes; the body fails with what it throws
     */
    BoundedBody(int most, LongConsumer memory) {
        this.most = most;
        this.memory = memory;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription subscription) {
        source = subscription;
        if (given) {
            subscription.cancel();
        } else {
            subscription.request(Long.MAX_VALUE);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> more) {
        if (given) {
            return;
        }
        int before = length;
        more.forEach(piece -> length += piece.remaining());
        try {
            if (length > most) {
                throw new AnswerTooLongException(most);
            }
            memory.accept(COPIES * (length - before));
            pieces.addAll(more);
        } catch (AnswerTooLongException | RuntimeException e) {
            giveUp();
            whole.completeExceptionally(e);
        }
    }

    @Override
    public synchronized void onError(Throwable failure) {
        pieces.clear();
        whole.completeExceptionally(failure);
    }

    @Override
    public synchronized void onComplete() {
        byte[] bytes = new byte[length];
        int place = 0;
        for (ByteBuffer piece : pieces) {
            int here = piece.remaining();
            piece.get(bytes, place, here);
            place += here;
        }
        pieces.clear();
        whole.complete(bytes);
    }

    /** Takes in nothing more, which closes the connection unless the body is whole. */
    synchronized void giveUp() {
        given = true;
        pieces.clear();
        if (source != null) {
            source.cancel();
        }
    }
}
