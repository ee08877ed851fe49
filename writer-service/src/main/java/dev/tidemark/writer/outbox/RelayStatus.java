package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.writer.commit.WriteGate;

/** The state of the relay. Written by the relay, read by any thread. */
public final class RelayStatus implements WriteGate {
    private static final String NOT_ASKED =
            "the topics have not been asked yet whether they hold changes that this writer has lost, so"
                    + " a version could be given twice";

    private volatile RelayState state = RelayState.of(RelayState.Phase.PREPARING);
    private volatile Map<String, TableHold> held = Map.of();
    private volatile Optional<String> allRefused = Optional.empty();
    private volatile boolean answered;

    public RelayState state() {
        return state;
    }

    /** Which tables nothing is published of at the moment, and why. */
    public Map<String, TableHold> held() {
        return held;
    }

    /** Whether it may be long until everything is published. */
    public boolean mayBeLong() {
        return state.phase() == RelayState.Phase.WAITING || state.phase() == RelayState.Phase.REFUSED;
    }

    void enter(RelayState next) {
        state = next;
    }

    /**
     * Shows which tables are held.
     *
     * @param count how many tables there are, without derived ones
     */
    void hold(Map<String, TableHold> tables, int count) {
        held = Map.copyOf(tables);
        List<TableHold> refused = tables.entrySet().stream()
                .filter(one -> !DerivedTable.is(one.getKey()))
                .map(Map.Entry::getValue)
                .filter(hold -> hold.kind() == TableHold.Kind.REFUSED)
                .toList();
        boolean all = count > 0 && refused.size() == count;
        allRefused = all ? Optional.of(refused.get(0).reason()) : Optional.empty();
    }

    /** Topics were checked for changes that the fact tables lack, and no version is given twice any more. */
    public void answered() {
        answered = true;
    }

    /**
     * Why no table takes writes; empty when some do. An outbox with a gap refuses all, because nothing behind the gap
     * could ever be published, and so do topics that were not asked yet whether they hold changes that this writer has
     * lost.
     */
    public Optional<String> refusal() {
        RelayState now = state;
        if (now.phase() == RelayState.Phase.REFUSED) {
            return Optional.of(now.detail());
        }
        if (allRefused.isPresent()) {
            return allRefused;
        }
        return answered
                ? Optional.empty()
                : Optional.of(now.detail().isEmpty() ? NOT_ASKED : NOT_ASKED + ": " + now.detail());
    }

    /** A topic that cannot be used refuses the writes of its table, because they could never be published. */
    @Override
    public Optional<String> refusal(String table) {
        return refusal()
                .or(() -> Optional.ofNullable(held.get(table))
                        .filter(hold -> hold.kind() == TableHold.Kind.REFUSED)
                        .map(TableHold::reason));
    }
}
