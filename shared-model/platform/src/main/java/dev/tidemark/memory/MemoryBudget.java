package dev.tidemark.memory;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The bytes of heap that one process may hold for work whose size others decide. Memory is reserved before it is
 * allocated; a reservation is refused, never waited for. For any thread.
 *
 * <p>Each kind of work is a part with a separate limit, so that one kind cannot take everything. The limits of all
 * parts together may be larger than the budget. One lock, that of the budget, guards all counts.
 */
public final class MemoryBudget {
    private final long bytes;
    private long reserved;

    /** Floors, and what is set aside. */
    private long fixed;

    private final List<Part> parts = new CopyOnWriteArrayList<>();

    /**
     * A budget of which nothing is reserved.
     *
     * @param bytes most bytes that are reserved at a time, at least 1
     */
    public MemoryBudget(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("Expected a budget of at least 1 byte, but got " + bytes);
        }
        this.bytes = bytes;
    }

    /** A budget for tests and tools, which is never used up. */
    public static MemoryBudget unlimited() {
        return new MemoryBudget(Long.MAX_VALUE / 4);
    }

    /**
     * Adds a kind of work.
     *
     * @param name in metrics: lower case with underscores
     * @param share most of the budget that this part may hold, above 0 and at most 1
     */
    public Part part(String name, double share) {
        return part(name, share, 0);
    }

    /**
     * Adds a kind of work with a floor, so that some of it goes on while other kinds hold the rest.
     *
     * @param name in metrics: lower case with underscores
     * @param share most of the budget that this part may hold, above 0 and at most 1
     * @param floor how much of the budget no other part may hold, at most the share
     */
    public Part part(String name, double share, double floor) {
        if (!(share > 0 && share <= 1 && floor >= 0 && floor <= share)) {
            throw new IllegalArgumentException(
                    "Expected a share above 0 and at most 1, and a floor of at most that, but got " + share + " and "
                            + floor);
        }
        Part part = new Part(name, Math.max(1, (long) (bytes * share)), (long) (bytes * floor));
        synchronized (this) {
            reserved += part.floor;
            fixed += part.floor;
        }
        parts.add(part);
        return part;
    }

    /**
     * Reserves memory once and for all, for what holds it as long as the process lives.
     *
     * @param name in metrics: lower case with underscores
     * @param share most of the budget that is set aside, above 0 and at most 1
     * @param wanted bytes
     * @return bytes that are set aside: as many as are wanted, or that share
     */
    public long setAside(String name, double share, long wanted) {
        Part part = part(name, share);
        long aside = part.reserve(Math.min(wanted, part.limit())).bytes();
        synchronized (this) {
            fixed += aside;
        }
        return aside;
    }

    /** Most bytes that are reserved at a time. */
    public long bytes() {
        return bytes;
    }

    /** Bytes that are reserved now. */
    public synchronized long reserved() {
        return reserved;
    }

    /** All kinds of work, in the order in which they were added. */
    public List<Part> parts() {
        return List.copyOf(parts);
    }

    /** One kind of work. */
    public final class Part {
        private final String name;
        private final long limit;
        private final long floor;
        private long held;
        private long refused;

        private Part(String name, long limit, long floor) {
            this.name = name;
            this.limit = limit;
            this.floor = floor;
        }

        public String name() {
            return name;
        }

        /** Most bytes that this part may hold; a larger reservation is always refused. */
        public long limit() {
            return limit;
        }

        /** Most bytes that this part can hold, while nothing else is held but what is set aside for good. */
        public long most() {
            synchronized (MemoryBudget.this) {
                return Math.min(limit, bytes - fixed + floor);
            }
        }

        /** Bytes that this part holds now. */
        public long reserved() {
            synchronized (MemoryBudget.this) {
                return held;
            }
        }

        /** How many reservations were refused. */
        public long refusals() {
            synchronized (MemoryBudget.this) {
                return refused;
            }
        }

        /** Memory of this part, of which nothing is reserved yet. */
        public Reservation none() {
            return new Reservation(this, 0);
        }

        /**
         * Reserves memory.
         *
         * @param amount bytes, 0 or more
         * @return to be closed when the memory is free again; empty when there is too little left
         */
        public Optional<Reservation> tryReserve(long amount) {
            return take(amount) ? Optional.of(new Reservation(this, amount)) : Optional.empty();
        }

        /**
         * Reserves memory even where too little is left: for the one piece without which work would stand still.
         *
         * @param amount bytes, 0 or more
         * @return to be closed when the memory is free again
         */
        public Reservation reserve(long amount) {
            requireBytes(amount);
            move(amount);
            return new Reservation(this, amount);
        }

        private boolean take(long amount) {
            requireBytes(amount);
            synchronized (MemoryBudget.this) {
                boolean fits = amount <= limit - held && shared(held + amount) - shared(held) <= bytes - reserved;
                if (fits) {
                    move(amount);
                } else {
                    refused++;
                }
                return fits;
            }
        }

        private void move(long more) {
            synchronized (MemoryBudget.this) {
                reserved += shared(held + more) - shared(held);
                held += more;
            }
        }

        /** Returns the bytes of an amount that are beyond the floor, which is reserved already. */
        private long shared(long amount) {
            return Math.max(0, amount - floor);
        }

        private static void requireBytes(long amount) {
            if (amount < 0) {
                throw new IllegalArgumentException("Expected 0 bytes or more, but got " + amount);
            }
        }
    }

    /** Memory that a caller has reserved. A second close has no effect. */
    public static final class Reservation implements AutoCloseable {
        private final Part part;
        private long amount;
        private boolean closed;

        private Reservation(Part part, long amount) {
            this.part = part;
            this.amount = amount;
        }

        /** Most bytes that can be held, while nothing else is but what is set aside for good. */
        public long most() {
            return part.most();
        }

        /** Bytes that are held. */
        public synchronized long bytes() {
            return amount;
        }

        /**
         * Reserves more.
         *
         * @param more bytes, 0 or more
         * @return false when there is too little left; then nothing has changed
         */
        public synchronized boolean tryGrow(long more) {
            if (closed || !part.take(more)) {
                return false;
            }
            amount += more;
            return true;
        }

        /** Releases memory, and keeps at most the given number of bytes; no effect where it holds no more than that. */
        public synchronized void shrinkTo(long bytes) {
            if (!closed && bytes < amount) {
                part.move(bytes - amount);
                amount = bytes;
            }
        }

        @Override
        public synchronized void close() {
            shrinkTo(0);
            closed = true;
        }
    }
}
