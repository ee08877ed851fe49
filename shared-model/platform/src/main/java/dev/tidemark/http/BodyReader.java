package dev.tidemark.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.ProblemType;

/**
 * Reads a whole body as it arrives, without a thread that waits for it. Memory is reserved as bytes come, because a
 * client may announce much and send nothing.
 */
final class BodyReader {
    private static final int SHORT_BYTES = 16 * 1024;

    private final Request request;
    private final CallMemory memory;
    private final SlowClientReaper slow;
    private final int mostBytes;
    private final Exchange exchange;
    private byte[] bytes = {};
    private int length;
    private @Nullable Transfer transfer;

    BodyReader(Request request, CallMemory memory, SlowClientReaper slow, int mostBytes, Exchange exchange) {
        this.request = request;
        this.memory = memory;
        this.slow = slow;
        this.mostBytes = mostBytes;
        this.exchange = exchange;
    }

    /** Reads what is there, and goes on once more has arrived. */
    void read() {
        Content.Chunk chunk = request.read();
        while (chunk != null) {
            if (Content.Chunk.isFailure(chunk)) {
                forget();
                exchange.cut(chunk.getFailure());
                return;
            }
            @Nullable Problem problem = add(chunk.getByteBuffer());
            boolean last = chunk.isLast();
            chunk.release();
            if (problem != null) {
                forget();
                exchange.refused(problem);
                return;
            }
            if (last) {
                forget();
                whole();
                return;
            }
            chunk = request.read();
        }
        if (transfer == null) {
            transfer = slow.watch(Transfer.Kind.BODY, request);
        }
        request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::read));
    }

    /** A body that is longer than a call takes. */
    static Problem tooLarge(int mostBytes) {
        return Problem.of(413, "Content too large", "expected a body of at most " + mostBytes + " bytes, but got more")
                .typed(ProblemType.BODY_TOO_LARGE);
    }

    private void whole() {
        if (length < bytes.length && !copied(length)) {
            exchange.refused(HttpMemory.noneLeft());
            return;
        }
        exchange.whole(bytes, transfer != null);
    }

    private @Nullable Problem add(ByteBuffer more) {
        int sum = length + more.remaining();
        if (sum > mostBytes) {
            return tooLarge(mostBytes);
        }
        if (transfer != null) {
            transfer.move(more.remaining());
        }
        if (sum > bytes.length && !copied(room(sum))) {
            return HttpMemory.noneLeft();
        }
        more.get(bytes, length, sum - length);
        length = sum;
        return null;
    }

    /** All of a short body at once, twice as much as before of a long one. */
    private int room(int needed) {
        long announced = request.getLength();
        if (announced >= needed && announced <= SHORT_BYTES) {
            return (int) announced;
        }
        long most = announced >= needed ? Math.min(announced, mostBytes) : mostBytes;
        return (int) Math.min(most, Math.max(needed, 2L * bytes.length));
    }

    private boolean copied(int size) {
        if (!memory.body().tryGrow(size)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, size);
        memory.body().shrinkTo(size);
        return true;
    }

    private void forget() {
        if (transfer != null) {
            transfer.end();
        }
    }
}
