package dev.tidemark.writer.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.UnreadableRowException;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.commit.RowPlacements;
import dev.tidemark.writer.commit.StoredRow;

/**
 * The derived tables that changes are published to, and what their partitions hold. A derived table that comes into
 * force is here once the committer places every change in it: only then do the rows as they are stored, and the changes
 * from there on, make it complete. For the relay alone.
 */
final class DerivedTables {
    private final Supplier<Definitions> definitions;
    private final Supplier<Set<DerivedTable>> placedIn;
    private final FactStore store;
    private Map<String, Followed> followed;
    private long version;
    private boolean lacksSome;

    /** A derived table with the rule by which rows of its base are in it. */
    private record Followed(
            DerivedTable home,
            TableDefinition spec,
            RowPlacements placements,
            Optional<EntryDeriver> deriver,
            RowFields key,
            boolean paused) {
        /** What the derived table has of a row: all of it where it holds a layout. */
        RowDocument projected(RowDocument row) {
            try {
                return deriver.isPresent() ? deriver.get().projected(row, key) : row;
            } catch (UnreadableRowException e) {
                // The worker cannot read it either, and lists it.
                return row;
            }
        }
    }

    /**
     * Those of the definitions in force, in which this process places every change.
     *
     * @param placedIn the derived tables that the committer places changes in from now on
     */
    DerivedTables(Supplier<Definitions> definitions, Supplier<Set<DerivedTable>> placedIn, FactStore store) {
        this.definitions = definitions;
        this.placedIn = placedIn;
        this.store = store;
        Definitions now = definitions.get();
        this.version = now.version();
        this.followed = all(now);
    }

    private static Map<String, Followed> all(Definitions now) {
        Map<String, Followed> all = new LinkedHashMap<>();
        for (DesiredTable table : now.layout().tables()) {
            DerivedTable.of(table.name()).ifPresent(home -> all.put(table.name(), followed(home, table)));
        }
        return all;
    }

    private static Followed followed(DerivedTable home, DesiredTable table) {
        List<Generation> held = table.generations();
        TableDefinition whole = table.definition();
        // The indexes of a layout and the source of its rows change, and the topic does not.
        TableDefinition lasting = new TableDefinition(
                whole.name(),
                whole.primaryKey(),
                whole.partitions(),
                home.isLayout() ? List.of() : whole.indexes(),
                Optional.empty());
        return new Followed(
                home,
                lasting,
                new RowPlacements(held),
                home.isLayout()
                        ? Optional.empty()
                        : Optional.of(new EntryDeriver(held.get(0).definition())),
                whole.keyFields(),
                table.isBuildPaused());
    }

    /** Follows the definitions; returns whether something may have changed. */
    boolean follow() {
        Definitions now = definitions.get();
        if (now.version() == version && !lacksSome) {
            return false;
        }
        Map<String, Followed> all = all(now);
        int count = all.size();
        Set<DerivedTable> placed = placedIn.get();
        all.values().removeIf(one -> !followed.containsKey(one.home().name()) && !placed.contains(one.home()));
        followed = all;
        version = now.version();
        lacksSome = all.size() < count;
        return true;
    }

    /** The derived tables. */
    List<TableDefinition> specs() {
        return followed.values().stream().map(Followed::spec).toList();
    }

    /**
     * Has tables begin with the partitions that the definitions say: those that were published before the fact tables
     * were put back know it better. No topic has changes by another number, because a table takes no writes before it
     * is in the definitions.
     *
     * @throws PublishException when a table was corrected, so that every topic has to be looked at again
     */
    void correct(TopicReconciler keeper) throws PublishException {
        List<String> corrected = new ArrayList<>();
        for (TableDefinition spec : keeper.specs()) {
            definitions
                    .get()
                    .table(spec.name())
                    .map(table -> spec.with(table.definition().partitions()))
                    .filter(begun -> !begun.equals(spec))
                    .ifPresent(begun -> {
                        keeper.leave(spec);
                        keeper.join(begun);
                        corrected.add(spec.name() + " began with " + begun.partitions() + " partitions");
                    });
        }
        if (!corrected.isEmpty()) {
            throw new PublishException("by the definitions that were published before, " + corrected);
        }
    }

    /** Whether all of these tables are in the definitions in force, so that their partitions are certain. */
    boolean areDefined(Collection<TableDefinition> specs) {
        Definitions present = definitions.get();
        return specs.stream()
                .allMatch(spec -> present.table(DerivedTable.base(spec.name())).isPresent());
    }

    /** Whether a table is a derived one that is in force no longer, or not yet. */
    boolean isGone(String table) {
        return DerivedTable.is(table) && !followed.containsKey(table);
    }

    /** Whether the filling of a derived table is to rest. */
    boolean isPaused(String table) {
        Followed one = followed.get(table);
        return one != null && one.paused();
    }

    /**
     * A row as the fact tables have it for a partition of a topic.
     *
     * @return null where there is no such row, or it does not belong in that partition of a derived table
     */
    @Nullable
    StoredRow find(String table, int partition, KeyBytes key) {
        StoredRow row = store.find(DerivedTable.base(table), key);
        Followed derived = followed.get(table);
        if (row == null || (derived == null && !DerivedTable.is(table))) {
            return row;
        }
        boolean belongs = derived != null
                && derived.placements()
                        .partitions(derived.home(), key, row.row())
                        .contains(partition);
        return belongs ? row : null;
    }

    /** Where the change of a row that is committed once more for a partition has to be published, too. */
    List<Placement> also(EventPublisher.Shard shard) {
        Followed derived = followed.get(shard.table());
        return derived == null ? List.of() : List.of(new Placement(derived.home(), shard.partition(), false));
    }

    /** The messages of changes to their tables, and behind them those to derived tables. */
    List<Publication> with(List<CommittedChange> changes, List<Publication> own) {
        if (followed.isEmpty()) {
            return own;
        }
        List<Publication> all = new ArrayList<>(own);
        for (int i = 0; i < changes.size(); i++) {
            CommittedChange change = changes.get(i);
            if (!change.placements().isEmpty()) {
                all.addAll(of(change, change.placements(), own.get(i).handover()));
            }
        }
        return all;
    }

    /** The messages of a change to one derived table. */
    List<Publication> of(CommittedChange change, String table, PublishTimings handover) {
        List<Placement> wanted = change.placements().stream()
                .filter(placement -> placement.table().equals(table))
                .toList();
        return of(change, wanted, handover);
    }

    private List<Publication> of(CommittedChange change, List<Placement> placements, PublishTimings handover) {
        ChangeEvent event = change.event();
        // The partitions of a table share one document: each of many would be about as long as the row.
        Map<String, RowDocument> projected = new HashMap<>();
        List<Publication> messages = new ArrayList<>();
        for (Placement placement : placements) {
            Followed derived = followed.get(placement.table());
            if (derived != null) {
                ChangeEvent stated = placement.holds() && event instanceof ChangeEvent.Upserted row
                        ? new ChangeEvent.Upserted(
                                row.key(),
                                row.version(),
                                row.committedAt(),
                                row.operation(),
                                projected.computeIfAbsent(placement.table(), table -> derived.projected(row.row())))
                        : new ChangeEvent.Deleted(event.key(), event.version(), event.committedAt());
                messages.add(
                        new Publication(derived.spec().name(), placement.partition(), stated).handedOver(handover));
            }
        }
        return messages;
    }

    /** The messages that state a row as it is stored in each partition of a derived table that must hold it. */
    List<Publication> of(KeyedRow row, TableDefinition spec) {
        Followed derived = followed.get(spec.name());
        if (derived == null) {
            return List.of();
        }
        StoredRow stored = row.stored();
        Set<Integer> partitions = derived.placements().partitions(derived.home(), row.key(), stored.row());
        if (partitions.isEmpty()) {
            return List.of();
        }
        RowDocument projected = derived.projected(stored.row());
        List<Publication> messages = new ArrayList<>();
        for (int partition : partitions) {
            ChangeEvent event = new ChangeEvent.Upserted(
                    row.key(), stored.version(), stored.committedAt(), UpsertKind.READ, projected);
            messages.add(new Publication(spec.name(), partition, event));
        }
        return messages;
    }
}
