package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.row.RowVersion;

/**
 * The acknowledged writes of the prober, and which of them any answer has shown. The ledger leaves out writes whose
 * outcome is unknown, because they need not become visible.
 *
 * <p>The ledger compares versions, not values: a write that timed out may be committed after its successor, and then
 * the older value is the right one.
 */
public final class CanaryLedger {
    /** Above this, the oldest visible writes of a partition are forgotten, or else the newest are not noted. */
    static final int MAX_PER_PARTITION = 20_000;

    /** The same for all partitions together, in equal parts: the prober has a small heap. */
    static final int MAX = 200_000;

    private final int most;
    private final List<NavigableMap<RowVersion, Canary>> byPartition = new ArrayList<>();
    private final List<RowVersion> seen = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();

    /** A time of which all writes are lost. */
    private record Lost(Instant after, Instant until) {}

    public CanaryLedger(int partitions) {
        this.most = Math.min(MAX_PER_PARTITION, MAX / partitions);
        for (int partition = 0; partition < partitions; partition++) {
            byPartition.add(new TreeMap<>());
            seen.add(RowVersion.NONE);
        }
    }

    public int partitions() {
        return seen.size();
    }

    /** By partition, the newest version that any answer has shown. */
    public List<RowVersion> seen() {
        return List.copyOf(seen);
    }

    /**
     * Records that writes acknowledged after a time and up to another are known to be lost: they need not be visible.
     */
    public void lost(Instant after, Instant until) {
        lost.add(new Lost(after, until));
        byPartition.forEach(canaries -> canaries.values().removeIf(this::isLost));
    }

    private boolean isLost(Canary canary) {
        Instant time = canary.acknowledged();
        return lost.stream().anyMatch(one -> time.isAfter(one.after()) && !time.isAfter(one.until()));
    }

    /**
     * Notes a write. Writes of one partition come in the order of their acknowledgement.
     *
     * @return how long it took to become visible: zero where an answer has shown it before, empty where none has
     */
    public Optional<Duration> acknowledged(Canary canary) {
        if (isLost(canary)) {
            return Optional.empty();
        }
        NavigableMap<RowVersion, Canary> canaries = byPartition.get(canary.partition());
        boolean alreadyVisible = !canary.version().isAfter(seen.get(canary.partition()));
        if (canaries.size() >= most) {
            if (canaries.firstKey().isAfter(seen.get(canary.partition()))) {
                // Which of many missing writes are counted makes no difference: the oldest decides.
                return Optional.empty();
            }
            canaries.pollFirstEntry();
        }
        canaries.put(canary.version(), canary);
        return alreadyVisible ? Optional.of(Duration.ZERO) : Optional.empty();
    }

    /**
     * Notes what an answer showed.
     *
     * @param visible version by partition
     * @return from acknowledgement to this answer, for each write that no answer had shown before
     */
    public List<Duration> saw(List<RowVersion> visible, Instant answered) {
        List<Duration> fresh = new ArrayList<>();
        for (int partition = 0; partition < seen.size(); partition++) {
            RowVersion before = seen.get(partition);
            RowVersion now = visible.get(partition);
            if (!now.isAfter(before)) {
                continue;
            }
            byPartition.get(partition).subMap(before, false, now, true).values().stream()
                    .map(canary -> Duration.between(canary.acknowledged(), answered))
                    .forEach(fresh::add);
            seen.set(partition, now);
        }
        return fresh;
    }

    /** Of some partitions, the oldest write acknowledged by then that is newer than what is visible there. */
    public Optional<Canary> oldestMissing(Collection<Integer> partitions, List<RowVersion> visible, Instant by) {
        return partitions.stream()
                .map(partition -> Optional.ofNullable(byPartition.get(partition).higherEntry(visible.get(partition))))
                .flatMap(Optional::stream)
                .map(Map.Entry::getValue)
                .filter(canary -> !canary.acknowledged().isAfter(by))
                .min(Comparator.comparing(Canary::acknowledged));
    }

    /**
     * One acknowledged write of the prober. It was committed at some moment between its invocation and its
     * acknowledgement.
     *
     * @param partition hash shard of its row; the prober has one row in each
     * @param version what the writer answered
     * @param invoked when the request was sent, by the prober's clock
     * @param acknowledged when the answer was there, by the prober's clock
     */
    public record Canary(int partition, RowVersion version, Instant invoked, Instant acknowledged) {}
}
