package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;

/**
 * A client that asks one index all the time: whatever is built, switched or killed, an answer is from one generation.
 */
final class OneGenerationReader implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(10);
    private static final int UNAVAILABLE = 503;

    private final BuiltIndexes built;
    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger answers = new AtomicInteger();
    private final AgentRunner runner;

    private OneGenerationReader(BuiltIndexes built) {
        this.built = built;
        this.runner = AgentRunner.start(new Client(), PACE);
    }

    static OneGenerationReader start(BuiltIndexes built) {
        return new OneGenerationReader(built);
    }

    /** What was answered and should not have been. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    int answers() {
        return answers.get();
    }

    /** Ends after the question under way. */
    void stop() {
        close();
        runner.failure().ifPresent(failure -> {
            throw new AssertionError("the reader failed", failure);
        });
    }

    @Override
    public void close() {
        runner.close(Duration.ofSeconds(70));
    }

    private final class Client implements Agent {
        @Override
        public String roleName() {
            return "generation-reader";
        }

        @Override
        public int doWork() throws InterruptedException {
            try {
                judge(built.ask());
            } catch (IOException e) {
                // The worker was killed: no answer is no lie.
                return 0;
            }
            return 0;
        }

        private void judge(Answer answer) {
            if (!answer.ok()) {
                if (answer.status() != UNAVAILABLE) {
                    complaints.add("expected an answer or 503, but got " + answer);
                }
                return;
            }
            answers.incrementAndGet();
            if (BuiltIndexes.kindsOf(answer).size() != 1) {
                complaints.add("expected entries of one generation, but got " + answer);
            }
        }
    }
}
