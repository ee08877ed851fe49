package dev.tidemark.client;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** Changes as lines of JSON, each made when it is read. One thread at a time. */
final class ChangeLines extends InputStream {
    /** Lines are joined up to about that many bytes, so that a short one costs no piece of the body. */
    private static final int PIECE = 16 * 1024;

    /** A line is not held back for longer while more of them are made, because the service ends a load that stalls. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private final Iterator<? extends Change<?>> changes;
    private final Function<Object, byte[]> json;
    private final Timing timing;
    private byte[] piece = {};
    private int at;
    private volatile @Nullable RuntimeException failure;

    ChangeLines(Iterator<? extends Change<?>> changes, Function<Object, byte[]> json, Timing timing) {
        this.timing = timing;
        this.changes = changes;
        this.json = json;
    }

    /** What ended the lines before their end. */
    Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        if (at == piece.length && !advance()) {
            return -1;
        }
        int count = Math.min(length, piece.length - at);
        System.arraycopy(piece, at, buffer, offset, count);
        at += count;
        return count;
    }

    private boolean advance() {
        ByteArrayOutputStream next = new ByteArrayOutputStream();
        try {
            long first = 0;
            boolean late = false;
            while (!late && next.size() < PIECE && changes.hasNext()) {
                boolean begins = next.size() == 0;
                next.writeBytes(line(changes.next()));
                next.write('\n');
                first = begins ? timing.nanos() : first;
                late = timing.nanos() - first >= LONGEST_NANOS;
            }
        } catch (RuntimeException e) {
            // It breaks the request off; the caller gets it as it is.
            failure = e;
            throw e;
        }
        piece = next.toByteArray();
        at = 0;
        return piece.length > 0;
    }

    private byte[] line(Change<?> change) {
        if (change instanceof Change.Delete<?> delete) {
            return json.apply(Map.of("$delete", delete.key()));
        }
        return json.apply(((Change.Put<?>) change).row());
    }
}
