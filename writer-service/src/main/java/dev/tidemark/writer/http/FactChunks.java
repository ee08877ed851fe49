package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamWriter;
import dev.tidemark.http.BodyChunks;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * A stream of facts, read and written a few rows at a time. One that is broken off has no end frame, by which its
 * reader knows.
 */
final class FactChunks implements BodyChunks {
    static final int PIECE_BYTES = 64 * 1024;

    private final FactSnapshot snapshot;
    private final boolean whole;
    private final Runnable release;
    private final Buffer buffer = new Buffer();
    private final FactStreamWriter out;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean begun;
    private boolean ended;

    /** Bytes that are sent as they are. */
    private static final class Buffer extends ByteArrayOutputStream {
        Buffer() {
            super(2 * PIECE_BYTES);
        }

        ByteBuffer content() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    /**
     * A stream.
     *
     * @param whole whether the rows themselves are sent
     * @param release run once, when the stream is over
     */
    FactChunks(FactSnapshot snapshot, boolean whole, Runnable release) throws IOException {
        this.snapshot = snapshot;
        this.whole = whole;
        this.release = release;
        CommitPosition point = snapshot.point();
        this.out = new FactStreamWriter(buffer, new FactStreamHead(point.version(), point.time()));
    }

    @Override
    public @Nullable ByteBuffer next() throws IOException {
        if (ended) {
            return null;
        }
        if (begun) {
            buffer.reset();
        }
        begun = true;
        while (!ended && buffer.size() < PIECE_BYTES) {
            add(snapshot.next());
        }
        return buffer.content();
    }

    private void add(@Nullable KeyedRow row) throws IOException {
        if (row == null) {
            out.end();
            ended = true;
        } else if (whole) {
            out.row(row.key(), row.stored().version(), row.stored().row());
        } else {
            out.version(row.key(), row.stored().version());
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                snapshot.close();
            } finally {
                release.run();
            }
        }
    }
}
