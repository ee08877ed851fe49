package dev.tidemark.deploy.drill.load;

/** Lets clients work, or keeps them out. For any thread. */
public final class ClientGate {
    private boolean closed;
    private int inside;

    /** Whether a client may do its next step; if so, {@link #leave()} must follow. */
    synchronized boolean enter() {
        if (closed) {
            return false;
        }
        inside++;
        return true;
    }

    synchronized void leave() {
        inside--;
    }

    /** Lets no more clients in. */
    public synchronized void shut() {
        closed = true;
    }

    /** Whether no client is inside. */
    public synchronized boolean isEmpty() {
        return inside == 0;
    }

    public synchronized void open() {
        closed = false;
    }
}
