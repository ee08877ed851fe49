package dev.tidemark.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CloseableStackTest {
    private final CloseableStack parts = new CloseableStack();
    private final List<String> closed = new ArrayList<>();

    @Test
    void closesInTheOppositeOrderWhateverFails() {
        parts.add(() -> closed.add("first"));
        parts.add(() -> {
            throw new IllegalStateException("cannot be closed");
        });
        parts.add(() -> closed.add("last"));

        parts.close();
        parts.close();

        assertThat(closed).containsExactly("last", "first");
    }

    @Test
    void tellsWhichThreadStopped() throws Exception {
        Agent broken = new Agent() {
            @Override
            public String roleName() {
                return "broken";
            }

            @Override
            public int doWork() {
                throw new IllegalStateException("out of luck");
            }
        };
        assertThat(parts.failures()).isEmpty();

        parts.add(AgentRunner.start(broken, Duration.ZERO), Duration.ofSeconds(1));

        assertThat(BoundedWait.until(() -> !parts.failures().isEmpty(), Duration.ofSeconds(5), Duration.ofMillis(1)))
                .isTrue();
        assertThat(parts.failures()).singleElement().asString().contains("thread broken stopped", "out of luck");
        CloseableStack inner = new CloseableStack(parts);
        assertThat(inner.failures()).isEqualTo(parts.failures());
        parts.close();
    }
}
