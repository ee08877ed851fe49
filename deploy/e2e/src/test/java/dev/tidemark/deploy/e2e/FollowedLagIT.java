package dev.tidemark.deploy.e2e;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.e2e.guarantee.FreshnessComesBack;
import dev.tidemark.deploy.e2e.guarantee.LagNeverUnderReported;
import dev.tidemark.deploy.e2e.running.CommandStack;
import dev.tidemark.deploy.e2e.running.FollowedRows;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The prober writes by SQL into the database that a source follows, and holds what the services say against it. No
 * number is too small, whatever happens to the database and to the source.
 */
@TakesTurns(turn = 1, of = 4)
class FollowedLagIT {
    private static final String TABLE = "canary";
    private static final String CATALOG = """
            tables:
              canary:
                primaryKey: id
                partitions: 4
                source: { name: shop, table: public.canary }
                indexes:
                  by_id: { key: [id], projection: [value] }
            """;

    /** How long a transaction stays open; {@code -Dfollowed.transaction=600} for ten minutes. */
    private static final Duration OPEN = Duration.ofSeconds(Integer.getInteger("followed.transaction", 3));

    private static final Duration STOPPED = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long ENOUGH = 5;
    private static final String SENDER =
            "SELECT active_pid FROM pg_replication_slots WHERE slot_name = 'tidemark_shop'";

    @TempDir
    private Path directory = Path.of("");

    private final PostgresServer server = PostgresServer.shared();
    private final String database = server.newDatabase();

    /** Not by the test itself: what this fails with would take the place of what the test fails with. */
    @AfterEach
    void dropDatabase() {
        server.dropDatabase(database);
    }

    @Test
    void noNumberIsTooSmallWhateverHappensToTheDatabaseAndTheSource() throws Exception {
        server.sql(database, "CREATE TABLE canary (id text PRIMARY KEY, value bigint)");
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), CATALOG);
        try (CommandStack stack = CommandStack.start("followed-lag", catalog);
                FollowedRows rows = new FollowedRows(server, database, TABLE)) {
            URI worker = stack.endpoints().workers().get(0);
            RunningSource source = follow(stack);
            try (LagNeverUnderReported watch = fresh(stack, rows, worker)) {
                watch.idle(true);
                goOn(stack, watch);
                watch.idle(false);
                underLoad(stack, watch);
                withASenderThatStopped(stack, watch);
                withAnOpenTransaction(stack, watch);
                afterTheDatabaseCrashed(stack, watch);
                source.kill();
                BoundedWait.rest(STOPPED);
                source = follow(stack);
                goOn(stack, watch);
                server.sql(database, "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
                dropSlot();
                assertThat(source.exitCode()).as(source.said()).isEqualTo(1);
                source = follow(stack, "--on-gap=snapshot");
                goOn(stack, watch);
                watch.check(ENOUGH);
            } finally {
                source.close();
            }
        }
    }

    private RunningSource follow(CommandStack stack, String... more) throws Exception {
        return RunningSource.start(stack.endpoints().writers().get(0), server.settings(database), more);
    }

    private static LagNeverUnderReported fresh(CommandStack stack, FollowedRows rows, URI worker) throws Exception {
        awaitFresh(stack);
        return LagNeverUnderReported.watch(
                "rows of a database", rows.target(stack.endpoints().writers().get(0), worker));
    }

    private static void awaitFresh(CommandStack stack) {
        new FreshnessComesBack(stack.facts(), List.of(stack.indexes())).check(TABLE);
    }

    /** All is well, and is watched for a while. */
    private static void goOn(CommandStack stack, LagNeverUnderReported watch) {
        awaitFresh(stack);
        watch.awaitJudged(ENOUGH, Source.values());
    }

    private void underLoad(CommandStack stack, LagNeverUnderReported watch) {
        server.sql(database, "INSERT INTO canary SELECT 'load ' || n, n FROM generate_series(1, 20000) n");
        watch.awaitJudged(ENOUGH, Source.ANSWER);
        goOn(stack, watch);
    }

    private void withASenderThatStopped(CommandStack stack, LagNeverUnderReported watch) throws Exception {
        long sender = server.number("postgres", SENDER);
        signal("STOP", sender);
        try {
            BoundedWait.rest(STOPPED);
            double age = stack.facts()
                    .metrics()
                    .largest("tidemark_source_watermark_age_seconds", "source", "shop")
                    .orElseThrow();
            assertThat(age).isGreaterThan(STOPPED.toMillis() / 2e3);
            watch.awaitJudged(ENOUGH, Source.ANSWER);
        } finally {
            signal("CONT", sender);
        }
        goOn(stack, watch);
    }

    /** What it changed is there when it commits, and not before; rows that others commit meanwhile do not wait. */
    private void withAnOpenTransaction(CommandStack stack, LagNeverUnderReported watch) throws Exception {
        try (Connection open = server.connect(database)) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO canary SELECT 'open ' || n, n FROM generate_series(1, 5000) n");
            BoundedWait.rest(OPEN);
            goOn(stack, watch);
            open.commit();
        }
        goOn(stack, watch);
    }

    /** Where one of its processes is killed, the server ends all of them, recovers, and goes on. */
    private void afterTheDatabaseCrashed(CommandStack stack, LagNeverUnderReported watch) throws Exception {
        signal("KILL", server.number("postgres", SENDER));
        goOn(stack, watch);
    }

    private void dropSlot() {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> {
                    server.sql(database, "SELECT pg_drop_replication_slot('tidemark_shop')");
                    return true;
                });
    }

    private static void signal(String name, long process) throws Exception {
        assertThat(process).as("a process that sends changes").isPositive();
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process))
                        .start()
                        .waitFor())
                .isZero();
    }
}
