package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.LostTokenException;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.ReadConsistency;

/**
 * An answer to somebody who asks with the token of a write has that write in it, or a newer one of the same row. Only a
 * token of an epoch that is over is refused as such; where it is not, the rule holds for a lost write too. Each look is
 * at one row, all of them in turn.
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
        List<ChangeEvent> promised = new ArrayList<>(watched.history().newestAcknowledged(key, 1));
        promised.addAll(watched.history().promisedBefore(watched.epoch()).values());
        for (ChangeEvent event : promised) {
            for (DesiredIndex plan : watched.plans()) {
                watched.serving(plan).ifPresent(index -> check(watched.in(index), index, event, violations));
            }
        }
        return violations;
    }

    private static void check(Watched home, IndexNames.Found index, ChangeEvent event, List<String> violations) {
        ReadConsistency demanded = demand(index, event);
        for (Set<Integer> partitions : home.asked()) {
            Map<Integer, RowVersion> versions = new HashMap<>(demanded.versions());
            versions.keySet().retainAll(partitions);
            ReadConsistency consistency = new ReadConsistency(versions, Map.of(), Optional.empty(), Duration.ZERO);
            String who = "an answer of " + index.plan().name();
            try {
                home.askWithToken(query(index, partitions, consistency)).ifPresent(answered -> {
                    AnsweredRow row = new AnsweredRow(answered, partitions, event.key());
                    if (!row.isExcused() && !row.isOf(home, event)) {
                        violations.add(who + " has " + row.found() + " of a row, asked with the token of " + event);
                    }
                });
            } catch (LostTokenException e) {
                if (home.isOfThePresent(event)) {
                    violations.add(who + " is refused with the token of " + event + ": " + e.getMessage());
                }
            }
        }
    }

    /** What the token of a write asks for. */
    private static ReadConsistency demand(IndexNames.Found index, ChangeEvent event) {
        int partition = index.table().partitionOf(event.key());
        String token = SessionToken.of(index.table().name(), partition, event.version())
                .encode();
        try {
            return QueryParser.parse(index, Map.of("token", List.of(token)), QueryLimits.USUAL)
                    .demand();
        } catch (BadInputException e) {
            throw new AssertionError(e);
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
