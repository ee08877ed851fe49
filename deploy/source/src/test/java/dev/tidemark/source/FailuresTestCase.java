package dev.tidemark.source;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a source does when it or its database fails, with any database. */
@Tag("slow")
abstract class FailuresTestCase extends SourceTestCase {
    /** Of so few rows at a time, a snapshot that is killed leaves many. */
    static final String[] SMALL_BATCHES = {
        "--set", "connector.max.batch.size=100", "--set", "connector.max.queue.size=200"
    };

    final RunningSource child(String... more) {
        return RunningSource.start(writer.url(), server().settings(database), more);
    }

    /** A statement that inserts rows with those keys. */
    final String inserted(int from, int to) {
        return "INSERT INTO items SELECT seq, CONCAT('name ', seq) FROM " + server().numbers(from, to);
    }

    /** Inserts rows of keys from 100,000 on, in each way of the database to insert many; returns how many. */
    abstract int insertMany() throws Exception;

    /** Ends and hinders the stream, and requires the watermark to stand still meanwhile. */
    abstract void hinder(WatermarkProbe probe) throws Exception;

    final void untilRows(String table, int atLeast) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> writer.count(table) >= atLeast);
    }

    @Test
    void killsInSnapshotAndStreamNeitherLoseNorDoubleARow() throws Exception {
        items(inserted(1, 3_000));
        try (RunningSource killed = child(SMALL_BATCHES)) {
            untilRows("items", 500);
            killed.kill();
        }
        assertThat(writer.position().has("snapshot")).isTrue();
        sql("DELETE FROM items WHERE id <= 100");
        try (RunningSource killed = child(SMALL_BATCHES)) {
            followed();
            followed();
            int before = writer.puts();
            int inserted = insertMany();
            untilRows("items", 3_300);
            killed.kill();
            try (RunningSource last = child()) {
                followed();
                sameAs("items", "id");
                assertThat(writer.puts() - before).isEqualTo(inserted);
                assertThat(last.said()).doesNotContain("snapshot");
            }
        }
    }

    @Test
    void theWatermarkIsTrueWhileTheStreamIsHinderedAndTheSourceIsKilled() throws Exception {
        items();
        try (WatermarkProbe probe = new WatermarkProbe(server(), database, writer)) {
            try (RunningSource killed = child();
                    var open = server().connect(database)) {
                followed();
                open.setAutoCommit(false);
                open.createStatement().execute("INSERT INTO items VALUES (-1, 'open')");
                followed();
                hinder(probe);
                followed();
                open.commit();
                killed.kill();
            }
            try (RunningSource next = child()) {
                followed();
                assertThat(probe.tooSmall()).isEmpty();
                assertThat(probe.written()).isGreaterThan(50);
                assertThat(next.said()).doesNotContain("snapshot");
            }
        }
    }
}
