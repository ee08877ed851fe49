package dev.tidemark.deploy.drill.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Both ends of a connection that is passed on. For the thread of its link. */
final class ConnectionPair {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Way there;
    private final Way back;
    private final Selector selector;

    /** One direction: what was read and not yet written waits in a buffer. */
    private record Way(SocketChannel from, SocketChannel to, ByteBuffer buffer) {
        Way(SocketChannel from, SocketChannel to) {
            this(from, to, ByteBuffer.allocate(BUFFER_BYTES));
        }

        /** False at the end of the stream. */
        boolean pass(int most) throws IOException {
            buffer.limit((int) Math.min(buffer.capacity(), (long) buffer.position() + most));
            int read = from.read(buffer);
            buffer.flip();
            to.write(buffer);
            buffer.compact();
            return read >= 0;
        }
    }

    private ConnectionPair(SocketChannel client, SocketChannel broker, Selector selector) {
        this.there = new Way(client, broker);
        this.back = new Way(broker, client);
        this.selector = selector;
    }

    static void join(SocketChannel client, SocketChannel broker, Selector selector) throws IOException {
        ConnectionPair ends = new ConnectionPair(client, broker, selector);
        for (SocketChannel end : new SocketChannel[] {client, broker}) {
            end.configureBlocking(false);
            end.register(selector, SelectionKey.OP_READ, ends);
        }
    }

    /** Forwards what has arrived, with a limit in bytes for each direction. */
    void pass(int most) {
        try {
            boolean more = there.pass(most);
            // What is still on its way back arrives, whether the client has ended or not.
            if (back.pass(most) && more) {
                attend(there, back);
                attend(back, there);
            } else {
                close();
            }
        } catch (IOException e) {
            close();
        }
    }

    /** The source of a way is read while there is room, and is written to while the other way has something waiting. */
    private void attend(Way out, Way in) {
        int reading = out.buffer().position() < BUFFER_BYTES ? SelectionKey.OP_READ : 0;
        int writing = in.buffer().position() > 0 ? SelectionKey.OP_WRITE : 0;
        out.from().keyFor(selector).interestOps(reading | writing);
    }

    void close() {
        close(there.from());
        close(there.to());
    }

    private static void close(SocketChannel end) {
        try {
            end.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
