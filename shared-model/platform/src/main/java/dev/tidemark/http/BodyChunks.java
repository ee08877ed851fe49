package dev.tidemark.http;

import java.nio.ByteBuffer;

import org.jspecify.annotations.Nullable;

/**
 * An answer that is made while it is sent, piece by piece. One thread at a time; none while the client is slow. An
 * answer that fails after its first piece is broken off.
 */
public interface BodyChunks extends AutoCloseable {
    /** The next piece; null after the last. A piece stays unchanged until the next is asked for. */
    @Nullable
    ByteBuffer next() throws Exception;

    /** Called once, when the answer is sent or broken off. */
    @Override
    void close();
}
