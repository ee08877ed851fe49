package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.List;

/** Parts of an answer that are used only where no better ones come in time. */
final class PutAside implements AutoCloseable {
    private final List<Gathered.Part> parts = new ArrayList<>();

    /** Keeps a part, and gives those back of which it has all partitions. */
    void add(Gathered.Part part) {
        parts.removeIf(before -> {
            boolean again = part.partitions().containsAll(before.partitions());
            if (again) {
                before.result().close();
            }
            return again;
        });
        parts.add(part);
    }

    /** The parts, which are kept no longer. */
    List<Gathered.Part> takeAll() {
        List<Gathered.Part> all = List.copyOf(parts);
        parts.clear();
        return all;
    }

    /** Gives all of them back. */
    @Override
    public void close() {
        takeAll().forEach(part -> part.result().close());
    }
}
