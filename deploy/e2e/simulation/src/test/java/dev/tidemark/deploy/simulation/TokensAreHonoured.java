package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.ReadConsistency;

/**
 * An answer to somebody who asks with the token of a write has that write in it, or a newer one of the same row. Each
 * look is at one row, all of them in turn.
 */
final class TokensAreHonoured implements Guarantee {
    private int looks;

    @Override
    public List<String> violations(Watched watched) {
        List<KeyBytes> keys = List.copyOf(new TreeSet<>(watched.history().keys()));
        if (keys.isEmpty()) {
            return List.of();
        }
        List<String> violations = new ArrayList<>();
        KeyBytes key = keys.get(looks++ % keys.size());
        Iterator<ChangeEvent> told =
                watched.history().newestAcknowledged(key, 1).iterator();
        if (told.hasNext()) {
            ChangeEvent event = told.next();
            for (DesiredIndex plan : watched.inForce()
                    .table(watched.table().name())
                    .orElseThrow()
                    .indexes()) {
                check(watched, event, plan, violations);
            }
        }
        return violations;
    }

    private static void check(Watched watched, ChangeEvent event, DesiredIndex plan, List<String> violations) {
        for (Set<Integer> partitions : watched.asked()) {
            int due = watched.isByIndex()
                    ? partitions.iterator().next()
                    : watched.table().partitionOf(event.key());
            ReadConsistency consistency =
                    new ReadConsistency(Map.of(due, event.version()), Map.of(), Optional.empty(), Duration.ZERO);
            watched.ask(plan, index -> query(index, partitions, consistency)).ifPresent(answered -> {
                AnsweredRow row = new AnsweredRow(answered, partitions, event.key());
                if (!row.isOf(watched, event)) {
                    violations.add("an answer of " + plan.name() + " has " + row.found()
                            + " of a row, asked with the token of " + event);
                }
            });
        }
    }

    private static IndexQuery query(IndexNames.Found index, Set<Integer> partitions, ReadConsistency consistency) {
        return new IndexQuery(
                index,
                new TreeSet<>(partitions),
                KeyRange.ALL,
                Order.ASC,
                Optional.empty(),
                QueryLimits.USUAL.page(),
                false,
                false,
                consistency);
    }
}
