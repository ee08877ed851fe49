package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.Films;
import dev.tidemark.deploy.e2e.running.ShardTamper;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.Waiting;
import dev.tidemark.testkit.FileDamage;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard with a flipped byte in a file is dropped and built again without anybody's help, and says so meanwhile. */
@ExtendWith(SharedStack.class)
class DamagedShardIT {
    private static final String TABLE = "damaged_movies";
    private static final int FILMS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(20);

    private final StackUnderTest stack;
    private final Set<Integer> statuses = new TreeSet<>();

    DamagedShardIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void isBuiltAgainByItselfAndEqualsItsTableAfterwards() throws Exception {
        stack.facts().load(TABLE, Films.invented(FILMS, 11), "").requireOk();
        stack.settle(TABLE);
        assertThat(stack.terminate(Role.WORKER)).isZero();
        Path data = stack.dataOf(Role.WORKER);
        // Opened and closed, it has in table files what was in its log.
        ShardTamper.open(data, TABLE, 0).close();
        Path shard = data.resolve("shards").resolve(TABLE + "-0");
        FileDamage.FLIPPED.ofLargest(shard, ".sst");
        String damaged = identity(shard);

        stack.startAgain(Role.WORKER);
        assertThat(Waiting.until(() -> isAnother(shard, damaged), PATIENCE, STEP))
                .as("built again")
                .isTrue();
        assertThat(statuses).as("answers meanwhile").isSubsetOf(200, 503);
        stack.settle(TABLE);
    }

    /** Asks for everything, as whoever finds the damage does; whether the shard is another one by now. */
    private boolean isAnother(Path shard, String before) {
        try {
            for (String index : List.of(".by_actor", ".by_genre", ".by_year")) {
                Answer answer = stack.indexes().query(TABLE + index, "limit", "10000");
                statuses.add(answer.status());
                if (answer.status() == 503) {
                    assertThat(answer.header("Retry-After")).as("%s", answer).matches("[1-9]\\d*");
                }
            }
            return !identity(shard).equals(before);
        } catch (IOException e) {
            // Being made anew.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** What a database is given when it is made, and keeps. */
    private static String identity(Path shard) throws IOException {
        return Files.readString(shard.resolve("IDENTITY"));
    }
}
