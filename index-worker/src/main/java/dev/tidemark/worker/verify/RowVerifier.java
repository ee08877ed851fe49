package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.verify.Difference.Kind;

/**
 * The pure function from what is known of a row to what is wrong with it.
 *
 * <ul>
 *   <li>A row that has changed since the fact was read is only held against its own state.
 *   <li>A row in a version that the writer never gave is wrong even where its entries are right.
 *   <li>A row that the index leaves out because a record of the row is in quarantine is not wrong, but it is named.
 *   <li>An entry too few beside one too many is one entry where an older version of the row had it.
 *   <li>Where the entries are right and the state is not, that counts too: the next change would go by the state.
 * </ul>
 */
final class RowVerifier {
    private final RowObservation sight;
    private final Map<KeyBytes, Long> expected;
    private final List<Difference> differences = new ArrayList<>();

    private RowVerifier(RowObservation sight) {
        this.sight = sight;
        this.expected = sight.isInFlux() ? sight.stated() : sight.derived();
    }

    /** What is wrong; nothing when the index is right. */
    static List<Difference> judge(RowObservation sight) {
        RowVerifier judge = new RowVerifier(sight);
        if (judge.isQuarantined()) {
            judge.add(
                    Kind.QUARANTINED,
                    judge.expected.keySet().stream().findFirst().orElse(KeyBytes.EMPTY));
            return judge.differences;
        }
        judge.entries();
        if (judge.differences.isEmpty() && sight.isForeign()) {
            judge.add(Kind.AHEAD, judge.place());
        } else if (judge.differences.isEmpty() && !sight.isInFlux()) {
            judge.state();
        }
        return judge.differences;
    }

    private void entries() {
        SortedMap<KeyBytes, KeyBytes> extra = new TreeMap<>(sight.found());
        extra.keySet().removeAll(expected.keySet());
        TreeSet<KeyBytes> lacking = new TreeSet<>(expected.keySet());
        lacking.removeAll(sight.found().keySet());
        sight.found().forEach((key, carried) -> {
            Long fingerprint = expected.get(key);
            if (fingerprint != null && fingerprint != EntryDigest.fingerprint(carried)) {
                add(sight.isForeign() ? Kind.AHEAD : isBehind() ? Kind.STALE : Kind.BAD_COVERED, key);
            }
        });
        Iterator<KeyBytes> places = lacking.iterator();
        Kind kind = extraKind();
        for (KeyBytes key : extra.keySet()) {
            boolean moved = kind != Kind.DANGLING && places.hasNext();
            if (moved) {
                places.next();
            }
            add(moved && kind != Kind.AHEAD ? Kind.STALE : kind, key);
        }
        places.forEachRemaining(key -> add(Kind.MISSING, key));
    }

    private Kind extraKind() {
        if (sight.isForeign()) {
            return Kind.AHEAD;
        }
        if (!isThere()) {
            return Kind.DANGLING;
        }
        return isBehind() || expected.isEmpty() ? Kind.STALE : Kind.DUPLICATE;
    }

    /** Whether there is a row, by whichever side knows the later change. */
    private boolean isThere() {
        return sight.isInFlux()
                ? sight.state().filter(RowState::isLive).isPresent()
                : sight.fact().isPresent();
    }

    /**
     * Whether the row lacks its entries because of a record in quarantine. A shard that knows the version of this
     * record, and not the row's newest, missed a change besides.
     */
    private boolean isQuarantined() {
        return !sight.isInFlux()
                && !sight.isForeign()
                && sight.fact().isPresent()
                && sight.found().isEmpty()
                && sight.state()
                        .filter(state -> state.standing() == Standing.POISONED_PAST
                                || (state.standing() == Standing.POISONED_AT && !isBehind()))
                        .isPresent();
    }

    /** Whether the shard missed a change of the row. */
    private boolean isBehind() {
        return sight.fact().isPresent()
                && sight.version()
                        .filter(version -> !sight.fact().get().version().isAfter(version))
                        .isEmpty();
    }

    /** The entries are as the table says; now the state, by which the next change will be planned. */
    private void state() {
        Map<KeyBytes, Long> stated = sight.stated();
        if (isBehind() || !stated.equals(expected)) {
            TreeSet<KeyBytes> all = new TreeSet<>(stated.keySet());
            all.addAll(expected.keySet());
            all.stream().findFirst().ifPresent(key -> add(Kind.STALE, key));
        }
    }

    /** An entry of the row, to name it by. */
    private KeyBytes place() {
        return sight.found().isEmpty() ? KeyBytes.EMPTY : sight.found().firstKey();
    }

    private void add(Kind kind, KeyBytes entry) {
        boolean known = !sight.isInFlux() && expected.containsKey(entry);
        Optional<KeyBytes> wanted = known ? sight.carried() : Optional.empty();
        differences.add(new Difference(
                kind,
                sight.partition(),
                sight.primaryKey(),
                entry,
                Optional.ofNullable(sight.found().get(entry)),
                wanted,
                sight.version(),
                sight.factVersion()));
    }
}
