package dev.tidemark.writer.commit;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.testkit.InMemoryDefinitionStore;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A change of definitions, while rows are committed that were checked before it. */
class EnforcedDefinitionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(1);

    /** Long enough for a change that waits for nothing. */
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private static final Catalog WITH_NAMES = new Catalog(List.of(
            new TableDefinition(
                    "customers",
                    TestTables.CUSTOMERS.primaryKey(),
                    TestTables.CUSTOMERS.partitions(),
                    List.of(new IndexDefinition(
                            "customers",
                            "by_name",
                            List.of(KeyPart.of("name")),
                            new Projection.All(),
                            RowFilter.NONE))),
            TestTables.MOVIES));

    private final ManualClock clock = new ManualClock();
    private final InMemoryDisk disk = new InMemoryDisk();
    private final FailingFactStore store = new FailingFactStore(new InMemoryFactStore(disk));
    private final CatalogRegistry registry;
    private final RowRules first;
    private final Committer committer;
    private final List<String> events = new CopyOnWriteArrayList<>();

    EnforcedDefinitionsTest() throws Exception {
        registry =
                CatalogRegistry.open(new InMemoryDefinitionStore(disk), TestTables.CATALOG, Set.of(), clock, PATIENCE);
        TestTables.confirm(registry, clock);
        CatalogRules rules = new CatalogRules(registry::catalog, registry::current, TestTables.MAX_ROW_BYTES);
        first = Objects.requireNonNull(rules.get().get("customers"));
        committer = new Committer(
                store,
                TestTables.digests(store),
                rules,
                new CommitterLimits(10, 10_000, 100, STEP),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                List.of((batch, took) -> events.add("committed")));
        registry.enforcedBy(committer::awaitPass);
    }

    @Test
    void aRowThatWasCheckedBeforeAChangeIsCommittedBeforeTheChangeIsAnswered() throws Exception {
        List<CompletableFuture<Definitions>> changes = new CopyOnWriteArrayList<>();
        store.beforeCommit(() -> {
            changes.add(CompletableFuture.supplyAsync(this::change));
            until(() -> registry.current().version() == 2, PATIENCE);
            until(changes.get(0)::isDone, A_WHILE);
        });
        CompletableFuture<List<CommitOutcome>> early = submit(1);
        committer.doWork();
        store.beforeCommit(() -> {});
        work(changes.get(0));

        assertThat(early.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(events).containsExactly("committed", "answered");

        CompletableFuture<List<CommitOutcome>> late = submit(2);
        committer.doWork();
        assertThat(late.get()).singleElement().isInstanceOf(CommitOutcome.Refused.class);
    }

    @Test
    void rulesWhoseDefinitionsCannotBeReadYetAreMadeLater() throws Exception {
        AtomicBoolean away = new AtomicBoolean(true);
        CatalogRules rules = new CatalogRules(
                () -> {
                    if (away.get()) {
                        throw new FactsUnavailableException("away");
                    }
                    return registry.catalog();
                },
                registry::current,
                TestTables.MAX_ROW_BYTES);

        assertThatThrownBy(rules::get).hasMessage("away");
        away.set(false);
        assertThat(rules.get()).containsKey("customers");
    }

    @Test
    void aChangeIsAnsweredWhileNothingIsWritten() throws Exception {
        CompletableFuture<Definitions> change = CompletableFuture.supplyAsync(this::change);

        work(change);

        assertThat(change.get().version()).isEqualTo(2);
    }

    @Test
    void aCommitterThatHasEndedCommitsNothingThatAChangeWouldHaveToWaitFor() throws Exception {
        assertThat(committer.awaitPass(Duration.ZERO)).isFalse();

        committer.onClose();

        assertThat(committer.awaitPass(Duration.ZERO)).isTrue();
    }

    private Definitions change() {
        try {
            Definitions changed = registry.change(1, (present, at) -> present.changed(WITH_NAMES, at));
            events.add("answered");
            return changed;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void work(CompletableFuture<Definitions> change) throws InterruptedException {
        while (!change.isDone()) {
            committer.doWork();
        }
    }

    /** Hands in a row that no index on names can hold, checked by the first definitions. */
    private CompletableFuture<List<CommitOutcome>> submit(long id) throws Exception {
        RowDocument row = row("{'customerId':" + id + ",'name':[]}");
        WriteCommand command = new WriteCommand.Put(customerKey(id), row, Precondition.NONE);
        return committer.submit(WriteRequest.of("customers", command, 10).checkedBy(first), Duration.ZERO);
    }

    private static void until(BooleanSupplier condition, Duration patience) {
        try {
            BoundedWait.until(condition, patience, STEP);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
