package dev.tidemark.worker.backfill;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.testkit.LoggedLines;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;
import dev.tidemark.worker.testkit.InMemoryBackfillSource;
import dev.tidemark.worker.testkit.InstantVerifyAgent;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WalkVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** An index that is added to a shard with rows, until it is ready. */
class BuildTest {
    private static final long ADDED = 6;
    private static final IndexOperation ROLLBACK = new IndexOperation(IndexOperation.Kind.ROLLBACK, "films", "by_kind");
    private static final String WITH_ANOTHER = """
            tables:
              films:
                primaryKey: id
                partitions: 1
                indexes:
                  by_actor: { key: [{field: cast, each: true}], projection: keys_only }
                  by_kind:  { key: [kind], projection: [title] }
              plays:
                primaryKey: [town, name]
                partitions: 4
                indexes:
                  explain: { key: [name], projection: keys_only }
            """;

    private final FilmShard shelf = new FilmShard();
    private final InMemoryBackfillSource source = new InMemoryBackfillSource(shelf.log(), 1);
    private final Throttle throttle =
            new Throttle(0, Duration.ofSeconds(1), shelf.bench().clock().instant());
    private final BuildMeter meter =
            new BuildMeter(shelf.bench().shards(), shelf.bench().clock());
    private final BackfillAgent copier = new BackfillAgent(
            () -> source,
            shelf.bench().lag(),
            MemoryBudget.unlimited().part("builds", 1),
            throttle,
            meter,
            shelf.bench().clock());
    private InstantVerifyAgent.Prover prover = new WalkVerifier();

    @BeforeEach
    void leaveTheProofToTheAgent() {
        shelf.bench().withoutProofs();
    }

    @Test
    void isReadyWithEveryRowThatWasThereBefore() throws Exception {
        shelf.log()
                .put(1, film(1, "short"))
                .put(2, film(2, "film"))
                .put(3, film(3, "film"))
                .delete(4, "3");
        shelf.deliver();
        add();
        assertThat(status().phase()).isInstanceOf(GenerationState.Building.class);
        assertThat(status().serves()).isFalse();
        assertThat(progress().rowsTotal()).isEqualTo(2);
        assertThat(meter.took(ADDED)).isEmpty();

        settle();

        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
        assertThat(status().serves()).isTrue();
        assertThat(entries()).hasSize(2);
        assertThat(progress().rowsDone()).isEqualTo(2);
        assertThat(meter.took(ADDED))
                .hasValueSatisfying(took -> assertThat(took).isPositive());
    }

    @Test
    void aForgedNewerRecordDoesNotHideTheRowThatIsCopied() throws Exception {
        source.atATime(10);
        shelf.log()
                .put(1, film(1, "short"))
                .put(99, shelf.log().key("1"), film(2, "forged"))
                .put(3, film(1, "film"));
        shelf.deliver();
        add();

        settle();

        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
        assertThat(entries()).hasSize(1);
    }

    @Test
    void dropsWhatIsNotWantedAnyMore() {
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        assertThat(shelf.shard().status().orElseThrow().checkpoint().generations())
                .containsOnlyKeys(1L, ADDED);
    }

    @Test
    void aRowThatIsChangedOrDeletedWhileItIsCopiedIsTakenAsItIsNow() throws Exception {
        shelf.log().put(1, film(1, "short")).put(2, film(2, "film"));
        shelf.deliver();
        add();
        // Both rows have been read again, and wait for the thread of the shard.
        copier.doWork();
        copier.doWork();
        shelf.log().delete(3, "1").put(4, film(2, "play"));
        shelf.deliver();

        settle();

        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
        assertThat(entries()).singleElement().asString().contains(text("play"));
    }

    @Test
    void goesOnWhereItWasAfterTheShardWasOpenedAgain() throws Exception {
        for (int id = 1; id <= 9; id++) {
            shelf.log().put(id, film(id, "film"));
        }
        shelf.deliver();
        add();
        for (int step = 0; step < 3; step++) {
            step();
        }
        long copied = ((GenerationState.Building) status().phase()).copied();
        assertThat(copied).isBetween(1L, 8L);
        shelf.restart();

        settle();

        assertThat(source.begun()).hasSizeGreaterThan(1).first().isEqualTo(0L);
        assertThat(source.begun().subList(1, source.begun().size()))
                .allSatisfy(from -> assertThat(from).isGreaterThanOrEqualTo(copied));
        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
        assertThat(entries()).hasSize(9);
    }

    @Test
    void restsWhileItIsPausedAndTakesLiveChangesAllTheSame() throws Exception {
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        order(IndexOperation.Kind.PAUSE);
        settle();
        shelf.log().put(2, film(2, "film"));
        shelf.deliver();
        assertThat(status().phase()).isInstanceOf(GenerationState.Paused.class);
        assertThat(entries()).hasSize(1);

        order(IndexOperation.Kind.RESUME);
        settle();

        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
        assertThat(entries()).hasSize(2);
    }

    @Test
    void isDegradedAndNamesTheRowsThatItCannotHold() throws Exception {
        shelf.log().put(1, "{\"id\":1,\"title\":\"A\",\"year\":1990,\"cast\":[],\"kind\":{\"no\":\"scalar\"}}");
        shelf.log().put(2, film(2, "film"));
        shelf.deliver();
        add();
        settle();

        assertThat(status().phase()).isInstanceOf(GenerationState.Degraded.class);
        assertThat(status().phase().cause()).contains("1 rows");
        assertThat(status().serves()).isFalse();
        try (ShardView view = shelf.shard().readApplied().orElseThrow().view()) {
            assertThat(view.refused(ADDED, 9))
                    .singleElement()
                    .satisfies(row -> assertThat(row.reason()).contains("by_kind"))
                    .extracting(RefusedRow::version)
                    .isEqualTo(ChangeLog.version(1));
        }

        shelf.log().put(3, film(1, "short"));
        shelf.deliver();
        settle();
        assertThat(status().phase()).isInstanceOf(GenerationState.Ready.class);
    }

    @Test
    void isNotReadyWhileItsProofFails() throws Exception {
        prover = (shard, generation) -> new VerificationResult.Different("an entry is lacking");
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        settle();
        assertThat(status().phase()).isInstanceOf(GenerationState.Degraded.class);
        assertThat(status().phase().cause()).contains("an entry is lacking");
        assertThat(status().serves()).isFalse();
    }

    @Test
    void theProofNoticesAnEntryThatNobodyPutThere() throws Exception {
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        settle();
        assertThat(prover.prove(
                        shelf.shard(),
                        shelf.bench().definitions().generations("films").get(1)))
                .isEqualTo(new VerificationResult.Equal());
        // Somebody writes to the shard past everything that keeps account.
        shelf.bench()
                .stores()
                .meddle(shelf.shard().id(), new IndexMutation.PutEntry(ADDED, KeyBytes.EMPTY, KeyBytes.EMPTY));
        assertThat(prover.prove(
                        shelf.shard(),
                        shelf.bench().definitions().generations("films").get(1)))
                .isInstanceOf(VerificationResult.Different.class);
    }

    @Test
    void theGenerationBeforeGoesWhenTheWindowForARollbackIsOver() throws Exception {
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        settle();
        Catalog other = Tables.catalog(WITH_ANOTHER.replace("[title]", "keys_only"));
        shelf.bench().define(shelf.bench().definitions().changed(other, ChangeLog.START));
        RollbackWindow window = new RollbackWindow(shelf.bench().shards(), Duration.ofMinutes(1));
        GenerationCleanupAgent retiring = new GenerationCleanupAgent(
                shelf.bench()::definitions,
                this::retire,
                window,
                window::end,
                shelf.bench().clock());
        assertThat(windowEnd(window)).isEmpty();
        settle();
        retiring.doWork();
        assertThat(held()).containsExactly(1L, ADDED, ADDED + 1);
        assertThat(windowEnd(window)).contains(ready(ADDED + 1).plus(Duration.ofMinutes(1)));

        shelf.bench().clock().advance(Duration.ofMinutes(2));
        retiring.doWork();
        shelf.bench().run();
        assertThat(held()).containsExactly(1L, ADDED + 1);
        assertThat(windowEnd(window)).isEmpty();
    }

    @Test
    void theWindowForARollbackBeginsAgainWithEachRollback() throws Exception {
        Duration minute = Duration.ofMinutes(1);
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        settle();
        shelf.bench().clock().advance(Duration.ofDays(9));
        Catalog other = Tables.catalog(WITH_ANOTHER.replace("[title]", "keys_only"));
        shelf.bench().define(shelf.bench().definitions().changed(other, now()));
        settle();
        RollbackWindow window = new RollbackWindow(shelf.bench().shards(), minute);
        GenerationCleanupAgent retiring = new GenerationCleanupAgent(
                shelf.bench()::definitions,
                this::retire,
                window,
                window::end,
                shelf.bench().clock());
        retiring.doWork();
        for (int times = 0; times < 3; times++) {
            shelf.bench().clock().advance(minute.dividedBy(2));
            shelf.bench().define(shelf.bench().definitions().with(ROLLBACK, now()));
            shelf.bench().run();

            assertThat(windowEnd(window)).contains(now().plus(minute));
            retiring.doWork();
            assertThat(held()).containsExactly(1L, ADDED, ADDED + 1);
        }
        Instant end = now().plus(minute);
        shelf.bench().clock().advance(minute.minusMillis(1));
        Definitions paused = shelf.bench()
                .definitions()
                .with(new IndexOperation(IndexOperation.Kind.PAUSE, "films", "by_actor"), now());
        shelf.bench().define(paused);
        assertThat(windowEnd(window)).as("another change does not move it").contains(end);
        retiring.doWork();
        assertThat(held()).containsExactly(1L, ADDED, ADDED + 1);
        RollbackWindow afterARestart = new RollbackWindow(shelf.bench().shards(), minute);
        assertThat(windowEnd(afterARestart)).contains(now().plus(minute));

        shelf.bench().clock().advance(Duration.ofSeconds(2));
        retiring.doWork();
        shelf.bench().run();
        assertThat(held()).containsExactly(1L, ADDED);
    }

    private Instant now() {
        return shelf.bench().clock().instant();
    }

    @Test
    void whyTheGenerationBeforeStaysIsSaidOnceForEachReason() throws Exception {
        shelf.log().put(1, film(1, "short"));
        shelf.deliver();
        add();
        settle();
        Catalog other = Tables.catalog(WITH_ANOTHER.replace("[title]", "keys_only"));
        shelf.bench().define(shelf.bench().definitions().changed(other, ChangeLog.START));
        settle();
        RollbackWindow window = new RollbackWindow(shelf.bench().shards(), Duration.ofMinutes(1));
        AtomicReference<String> refusal = new AtomicReference<>("the token needs admin");
        GenerationCleanupAgent retiring = new GenerationCleanupAgent(
                shelf.bench()::definitions,
                (index, version) -> {
                    throw new IllegalStateException(refusal.get());
                },
                window,
                window::end,
                shelf.bench().clock());

        try (LoggedLines log = LoggedLines.listen()) {
            for (int minute = 0; minute < 5; minute++) {
                shelf.bench().clock().advance(Duration.ofMinutes(2));
                retiring.doWork();
            }
            refusal.set("the writer is away");
            retiring.doWork();
            shelf.bench().clock().advance(Duration.ofMinutes(2));
            retiring.doWork();

            assertThat(log.all())
                    .filteredOn(line -> line.contains("previous generation of films.by_kind stays"))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("the token needs admin"),
                            line -> assertThat(line).contains("the writer is away"));
        }
        assertThat(held()).contains(ADDED);
    }

    private Optional<Instant> windowEnd(RollbackWindow window) {
        DesiredIndex plan =
                shelf.bench().definitions().index("films", "by_kind").orElseThrow();
        return window.end(FilmShard.films(), plan);
    }

    private Instant ready(long generation) {
        return shelf.shard()
                .status()
                .flatMap(status -> status.checkpoint().generation(generation))
                .flatMap(GenerationStatus::servedSince)
                .orElseThrow();
    }

    private boolean retire(DesiredIndex index, long version) {
        Definitions now = shelf.bench().definitions();
        assertThat(version).isEqualTo(now.version());
        try {
            shelf.bench()
                    .define(now.with(
                            new IndexOperation(IndexOperation.Kind.RETIRE, "films", index.name()), ChangeLog.START));
        } catch (OperationRefusedException e) {
            throw new AssertionError(e);
        }
        return true;
    }

    private Set<Long> held() {
        return shelf.shard().status().orElseThrow().checkpoint().generations().keySet();
    }

    private void add() {
        Definitions now = shelf.bench().definitions();
        Catalog wanted = Tables.catalog(WITH_ANOTHER);
        shelf.bench().define(now.changed(wanted, ChangeLog.START));
        shelf.bench().run();
    }

    private void order(IndexOperation.Kind kind) throws Exception {
        Definitions now = shelf.bench().definitions();
        shelf.bench().define(now.with(new IndexOperation(kind, "films", "by_kind"), ChangeLog.START));
        shelf.bench().run();
    }

    private void step() throws InterruptedException {
        copier.doWork();
        new InstantVerifyAgent(shelf.bench().shards(), prover, shelf.bench().clock()).doWork();
        shelf.bench().run();
        shelf.bench().clock().advance(Duration.ofMillis(100));
    }

    /** Lets all threads work for a while. */
    private void settle() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            step();
        }
    }

    private GenerationStatus status() {
        return shelf.shard()
                .status()
                .flatMap(status -> status.checkpoint().generation(ADDED))
                .orElseThrow();
    }

    private List<String> entries() {
        List<String> entries = new ArrayList<>();
        try (ShardView view = shelf.shard().readApplied().orElseThrow().view();
                EntryScan scan = view.scan(ADDED, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                entries.add(scan.key().toString());
            }
        }
        return entries;
    }

    private static String film(int id, String kind) {
        return "{\"id\":" + id + ",\"title\":\"T" + id + "\",\"year\":1990,\"cast\":[\"A\"],\"kind\":\"" + kind + "\"}";
    }

    private BuildProgress progress() {
        return shelf.bench().definitions().generations("films").stream()
                .filter(generation -> generation.id() == ADDED)
                .map(generation -> meter.progress(FilmShard.films(), generation))
                .findFirst()
                .orElseThrow();
    }

    private static String text(String value) {
        return HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
    }
}
