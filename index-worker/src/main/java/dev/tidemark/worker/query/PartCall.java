package dev.tidemark.worker.query;

import java.time.Instant;
import java.util.List;
import java.util.SortedSet;

import dev.tidemark.worker.group.Owner;

/** A part of a question that was asked for: of another worker, or of this one where it has no owners. */
final class PartCall {
    private final List<Owner> owners;
    private final SortedSet<Integer> partitions;
    private final Instant at;
    private boolean slow;

    PartCall(List<Owner> owners, SortedSet<Integer> partitions, Instant at) {
        this.owners = owners;
        this.partitions = partitions;
        this.at = at;
    }

    List<Owner> owners() {
        return owners;
    }

    SortedSet<Integer> partitions() {
        return partitions;
    }

    /** When it was asked. */
    Instant at() {
        return at;
    }

    /** Whether others are asked the same by now. */
    boolean isSlow() {
        return slow;
    }

    void becomeSlow() {
        slow = true;
    }

    /** Who was asked, to begin a reason with. */
    String asked() {
        return owners.stream()
                .findFirst()
                .map(owner -> owner.note().url() + ": ")
                .orElse("");
    }
}
