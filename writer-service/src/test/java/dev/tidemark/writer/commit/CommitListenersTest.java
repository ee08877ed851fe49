package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class CommitListenersTest {
    private final List<String> told = new ArrayList<>();
    private final Committer.Listener both = new CommitListeners(List.of(listener("first"), listener("second")));

    @Test
    void eachMemberIsToldEverythingInTheirOrder() {
        both.waited(Duration.ofMillis(1));
        both.committed(TestTables.batch(TestTables.put(7, 1, "a")), Duration.ofMillis(2));
        both.frontierMoved();
        both.promised(new CommitPosition(version(8), Instant.EPOCH));

        assertThat(told)
                .containsExactly(
                        "first waited PT0.001S",
                        "second waited PT0.001S",
                        "first committed 7 PT0.002S",
                        "second committed 7 PT0.002S",
                        "first frontierMoved",
                        "second frontierMoved",
                        "first promised 8",
                        "second promised 8");
    }

    private Committer.Listener listener(String name) {
        return new Committer.Listener() {
            @Override
            public void committed(FactBatch batch, Duration took) {
                told.add(name + " committed " + batch.through().version().sequence() + " " + took);
            }

            @Override
            public void waited(Duration time) {
                told.add(name + " waited " + time);
            }

            @Override
            public void promised(CommitPosition place) {
                told.add(name + " promised " + place.version().sequence());
            }

            @Override
            public void frontierMoved() {
                told.add(name + " frontierMoved");
            }
        };
    }
}
