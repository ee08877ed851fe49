package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import dev.tidemark.deploy.e2e.guarantee.NoAcknowledgedWriteLost;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes to two tables in turn: one whose topic is harmed, and one that must not notice, whose every write is taken and
 * whose index stays fresh. For one thread.
 */
final class TwoTables {
    static final String WELL = "people";
    static final String HARMED = "others";
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int KEYS = 51;
    private static final Duration STEP = Duration.ofMillis(50);

    /** What the index of the table that is well may be behind at most, on a machine that does much else. */
    private static final Duration FRESH = Duration.ofSeconds(8);

    private final StackUnderTest stack;
    private final People people = new People(new Random(12));
    private final Map<String, NoAcknowledgedWriteLost> histories =
            Map.of(WELL, new NoAcknowledgedWriteLost(), HARMED, new NoAcknowledgedWriteLost());
    private Duration stalest = Duration.ZERO;
    private int writes;

    TwoTables(StackUnderTest stack) {
        this.stack = stack;
    }

    /** Goes on until the condition holds after a write to the harmed table; that write's answer. */
    Answer until(String what, Expected condition) throws Exception {
        Instant began = stack.clock().instant();
        stalest = Duration.ZERO;
        while (true) {
            write(WELL).requireOk();
            Answer harmed = write(HARMED);
            Duration staleness = staleness();
            stalest = stalest.compareTo(staleness) > 0 ? stalest : staleness;
            assertThat(staleness).as("staleness until %s", what).isLessThan(FRESH);
            Duration took = Duration.between(began, stack.clock().instant());
            if (condition.holds(harmed)) {
                System.out.println("Bad topics: " + what + " after " + took.toMillis() + " ms, the other index at most "
                        + stalest.toMillis() + " ms behind");
                return harmed;
            }
            assertThat(took).as("%s; the last answer is %s", what, harmed).isLessThan(PATIENCE);
            BoundedWait.rest(STEP);
        }
    }

    /** Goes on for some time; the last answer of the harmed table. */
    Answer during(String what, Duration time) throws Exception {
        Instant end = stack.clock().instant().plus(time);
        return until(what, answer -> !stack.clock().instant().isBefore(end));
    }

    /** Indexes equal their rows, and rows are what clients were told. */
    void requireEqual(String table) throws IOException, InterruptedException {
        history(table).check(stack.settle(table));
    }

    /** What the answer to the latest write of the harmed table, or anything else, must be. */
    @FunctionalInterface
    interface Expected {
        boolean holds(Answer harmed) throws Exception;
    }

    private Answer write(String table) throws IOException, InterruptedException {
        String key = "p" + writes++ % KEYS;
        Write write = Write.put(key, people.row(key));
        Answer answer = stack.facts().put(table, key, write.body());
        NoAcknowledgedWriteLost history = history(table);
        if (answer.ok()) {
            history.answered(write, answer);
        } else {
            // Refused before it was committed.
            history.notDone();
        }
        return answer;
    }

    private NoAcknowledgedWriteLost history(String table) {
        return Objects.requireNonNull(histories.get(table));
    }

    private Duration staleness() throws IOException, InterruptedException {
        Instant complete = stack.indexes().completeUpTo(WELL + ".by_town").orElse(Instant.EPOCH);
        return Duration.between(complete, stack.clock().instant());
    }
}
