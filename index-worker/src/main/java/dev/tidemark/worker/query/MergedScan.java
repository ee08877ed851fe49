package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardView;

/** The entries of several shards in one order. Holds one entry of each shard at a time. */
final class MergedScan implements AutoCloseable {
    private final List<EntryScan> scans = new ArrayList<>();
    private final PriorityQueue<Head> heads;

    /** The entry on which a shard's scan stands. */
    private record Head(int shard, EntryScan scan, KeyBytes key) {}

    MergedScan(List<ShardView> views, long generation, KeyRange range, Order order) {
        Comparator<Head> ascending = Comparator.comparing(Head::key);
        this.heads = new PriorityQueue<>(order == Order.ASC ? ascending : ascending.reversed());
        try {
            for (int shard = 0; shard < views.size(); shard++) {
                EntryScan scan = views.get(shard).scan(generation, range, order);
                scans.add(scan);
                stand(shard, scan);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    boolean isValid() {
        return !heads.isEmpty();
    }

    int shard() {
        return head().shard();
    }

    KeyBytes key() {
        return head().key();
    }

    KeyBytes carried() {
        return head().scan().carried();
    }

    void next() {
        Head passed = heads.remove();
        passed.scan().next();
        stand(passed.shard(), passed.scan());
    }

    @Override
    public void close() {
        scans.forEach(EntryScan::close);
    }

    private Head head() {
        return heads.element();
    }

    private void stand(int shard, EntryScan scan) {
        if (scan.isValid()) {
            heads.add(new Head(shard, scan, scan.key()));
        }
    }
}
