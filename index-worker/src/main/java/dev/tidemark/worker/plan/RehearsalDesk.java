package dev.tidemark.worker.plan;

import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.index.IndexDefinition;

/** Takes requests for rehearsals and keeps what came of them, in memory and of the last {@value #KEPT} only. For any thread. */
public final class RehearsalDesk {
    /** Most rehearsals that wait. */
    public static final int MOST_WAITING = 4;

    static final int KEPT = 16;

    /** Bytes of the catalogs of all rehearsals that are kept, beside the newest. */
    static final long KEPT_BYTES = 8L << 20;

    private final TreeMap<Long, Rehearsal> rehearsals = new TreeMap<>();
    private final Forecasts forecasts = new Forecasts();
    private long last;

    /**
     * Puts a rehearsal in the queue; empty when too many wait already.
     *
     * @param bytes of the catalog as it was sent
     */
    public synchronized Optional<Rehearsal> ask(Catalog wanted, long bytes, double fraction) {
        if (rehearsals.values().stream().filter(Rehearsal::isWaiting).count() >= MOST_WAITING) {
            return Optional.empty();
        }
        last++;
        Rehearsal rehearsal = new Rehearsal(last, wanted, bytes, fraction, new Rehearsal.Waiting());
        rehearsals.put(last, rehearsal);
        // The oldest come first, so those after one that is not over are not over either.
        while ((rehearsals.size() > KEPT || bytes() > KEPT_BYTES)
                && rehearsals.firstEntry().getValue().isOver()) {
            rehearsals.pollFirstEntry();
        }
        return Optional.of(rehearsal);
    }

    private long bytes() {
        return rehearsals.values().stream().mapToLong(Rehearsal::bytes).sum();
    }

    /** The rehearsal of that number; empty when there was none, or it was long ago. */
    public synchronized Optional<Rehearsal> find(long id) {
        return Optional.ofNullable(rehearsals.get(id));
    }

    /** The one to work on. */
    synchronized Optional<Rehearsal> next() {
        return rehearsals.values().stream()
                .filter(rehearsal -> !rehearsal.isOver())
                .findFirst();
    }

    /** Notes how far one is. */
    synchronized void tell(long id, Rehearsal.State state) {
        rehearsals.computeIfPresent(id, (same, rehearsal) -> rehearsal.in(state));
        if (state instanceof Rehearsal.Done done) {
            forecasts.keep(done.tables());
        }
    }

    /** The newest forecast of an index of that definition, however long ago; empty when there was none. */
    public synchronized Optional<Forecasts.Kept> forecast(IndexDefinition index) {
        return forecasts.find(index);
    }
}
