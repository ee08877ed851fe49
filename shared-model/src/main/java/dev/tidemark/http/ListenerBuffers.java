package dev.tidemark.http;

import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;

/**
 * The buffers of a listener. A pool lends those that answers are written from, which are direct. A buffer that a
 * request is read into is on the heap, and never used again: after a malformed request, Jetty 12.1 may return it twice,
 * from two threads. A pool would then lend it to two connections at a time, and a client could be sent what is meant
 * for another.
 */
final class ListenerBuffers extends ByteBufferPool.Wrapper {
    ListenerBuffers() {
        super(new ArrayByteBufferPool());
    }

    @Override
    public RetainableByteBuffer.Mutable acquire(int size, boolean direct) {
        return direct ? super.acquire(size, true) : ByteBufferPool.NON_POOLING.acquire(size, false);
    }
}
