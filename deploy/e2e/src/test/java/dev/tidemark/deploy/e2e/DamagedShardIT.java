package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.Films;
import dev.tidemark.deploy.e2e.running.ShardTamper;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.testkit.FileDamage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A shard with a flipped byte in a file is dropped and built again without anybody's help, and nobody gets what is left
 * meanwhile.
 */
@ExtendWith(SharedStack.class)
@TakesTurns(turn = 2, of = 3)
class DamagedShardIT {
    private static final String TABLE = "damaged_movies";
    private static final List<String> INDEXES = List.of(".by_actor", ".by_genre", ".by_year");
    private static final int FILMS = 2_000;
    private static final String PAGE = "10000";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(20);

    private final StackUnderTest stack;
    private final Map<String, Integer> whole = new HashMap<>();
    private final List<Answer> refusals = new ArrayList<>();

    DamagedShardIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void isBuiltAgainByItselfAndIsNotAnsweredAsIfItWereWholeUntilThen() throws Exception {
        stack.facts().load(TABLE, Films.invented(FILMS, 11), "").requireOk();
        stack.settle(TABLE);
        for (String index : INDEXES) {
            whole.put(index, entries(ask(index).requireOk()));
        }
        assertThat(stack.terminate(Role.WORKER)).isZero();
        Path data = stack.dataOf(Role.WORKER);
        // Opened and closed, it has in table files what was in its log.
        ShardTamper.open(data, TABLE, 0).close();
        Path shard = data.resolve("shards").resolve(TABLE + "-0");
        FileDamage.FLIPPED.ofLargest(shard, ".sst");
        String damaged = identity(shard);

        // Asked from the first moment on at which it answers: it is soon built again.
        CompletableFuture<Void> started = CompletableFuture.runAsync(this::startAgain);
        assertThat(BoundedWait.until(() -> allAnswerFromAnother(shard, damaged), PATIENCE, STEP))
                .as("built again")
                .isTrue();
        assertThat(started).succeedsWithin(PATIENCE);
        assertThat(refusals).as("refusals").anySatisfy(DamagedShardIT::namesTheShard);
        assertThat(refusals)
                .filteredOn(refusal ->
                        "restoring".equals(refusal.json().path("state").asText()))
                .allSatisfy(refusal -> assertThat(refusal.header("Retry-After"))
                        .as("%s", refusal)
                        .matches("[1-9]\\d*"));
        stack.settle(TABLE);
    }

    private void startAgain() {
        try {
            stack.startAgain(Role.WORKER);
        } catch (StackException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Asks for everything; whether all answered, and the shard is another one by now. What answers must be whole. */
    private boolean allAnswerFromAnother(Path shard, String before) {
        try {
            boolean another = !identity(shard).equals(before);
            boolean answered = true;
            for (String index : INDEXES) {
                Answer answer = ask(index);
                if (answer.status() == 503) {
                    refusals.add(answer);
                    answered = false;
                } else {
                    assertThat(entries(answer.requireOk())).as(index).isEqualTo(whole.get(index));
                }
            }
            return another && answered;
        } catch (IOException e) {
            // Being made anew.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static void namesTheShard(Answer refusal) {
        assertThat(refusal.json().path("state").asText()).isEqualTo("restoring");
        assertThat(refusal.json().path("detail").asText()).contains(TABLE).contains("partition 0");
    }

    private Answer ask(String index) throws IOException, InterruptedException {
        return stack.indexes().query(TABLE + index, "limit", PAGE);
    }

    private static int entries(Answer answer) {
        return answer.json().path("entries").size();
    }

    /** What a database is given when it is made, and keeps. */
    private static String identity(Path shard) throws IOException {
        return Files.readString(shard.resolve("IDENTITY"));
    }
}
