package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.ReadConsistency;

/**
 * An answer that names no missing partition is of a known time, comes from a generation that was proven in every shard,
 * and has every row as it was at that time, or newer, but for those that it names as quarantined. Each look is at one
 * row, all of them in turn.
 */
final class AnswersAreWhole implements Guarantee {
    private int looks;

    @Override
    public List<String> violations(Watched watched) {
        List<KeyBytes> keys = List.copyOf(new TreeSet<>(watched.history().keys()));
        if (keys.isEmpty()) {
            return List.of();
        }
        KeyBytes key = keys.get(looks++ % keys.size());
        List<String> violations = new ArrayList<>();
        for (DesiredIndex plan : watched.plans()) {
            watched.serving(plan).ifPresent(index -> check(watched.in(index), index, key, violations));
        }
        return violations;
    }

    private static void check(Watched home, IndexNames.Found index, KeyBytes key, List<String> violations) {
        for (Set<Integer> partitions : home.asked()) {
            home.ask(everything(index, partitions))
                    .ifPresent(answered -> check(home, partitions, key, answered, violations));
        }
    }

    private static IndexQuery everything(IndexNames.Found index, Set<Integer> partitions) {
        return new IndexQuery(
                index,
                new TreeSet<>(partitions),
                KeyRange.ALL,
                Order.ASC,
                Optional.empty(),
                QueryLimits.USUAL.page(),
                false,
                false,
                ReadConsistency.NONE);
    }

    private static void check(
            Watched watched,
            Set<Integer> partitions,
            KeyBytes key,
            SimulatedWorker.Answered answered,
            List<String> violations) {
        String who = "an answer of " + answered.index().definition().name();
        long generation = answered.index().generation().id();
        for (int partition : partitions) {
            if (!watched.isProven(partition, generation)) {
                violations.add(who + " is from generation " + generation + ", which was never proven in partition "
                        + partition);
            }
        }
        StatedHealth.check(answered.answer().freshness(), Duration.ZERO, violations);
        Optional<Instant> time = answered.answer().freshness().completeUpTo();
        if (time.isEmpty() && watched.shop().isPresent()) {
            return;
        }
        if (time.isEmpty()) {
            violations.add(who + " is of no known time");
            return;
        }
        AnsweredRow row = new AnsweredRow(answered, partitions, key);
        if (!row.isExcused()) {
            watched.history()
                    .asOf(key, time.get(), epoch(watched, partitions, key, answered))
                    .filter(due -> !row.isOf(watched, due))
                    .ifPresent(due -> violations.add(who + " of " + time.get() + " lacks " + due));
        }
    }

    private static long epoch(
            Watched watched, Set<Integer> partitions, KeyBytes key, SimulatedWorker.Answered answered) {
        int partition = watched.isByIndex()
                ? partitions.iterator().next()
                : watched.table().partitionOf(key);
        return Optional.ofNullable(answered.answer().through().get(partition))
                .map(RowVersion::epoch)
                .orElse(Long.MAX_VALUE);
    }
}
