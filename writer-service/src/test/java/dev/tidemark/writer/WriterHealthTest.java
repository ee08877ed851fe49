package dev.tidemark.writer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.RelayStatus;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static org.assertj.core.api.Assertions.assertThat;

class WriterHealthTest {
    private final ManualClock clock = new ManualClock();
    private final WriterStores stores = WriterStores.on(new InMemoryDisk());

    @Test
    void anyThreadThatStoppedIsReported() throws Exception {
        try (CloseableStack service = new CloseableStack()) {
            AgentRunner resting =
                    service.add(AgentRunner.start(agent("committer", false), Duration.ofMillis(1)), Duration.ZERO);
            WriterHealth health = health(resting, service, true);
            assertThat(health.readiness()).allMatch(check -> check.problem().isEmpty());

            AgentRunner failing =
                    service.add(AgentRunner.start(agent("guard", true), Duration.ofMillis(1)), Duration.ZERO);

            assertThat(BoundedWait.until(
                            () -> failing.failure().isPresent(), Duration.ofSeconds(20), Duration.ofMillis(1)))
                    .isTrue();
            assertThat(health.readiness())
                    .filteredOn(check -> check.problem().isPresent())
                    .singleElement()
                    .asString()
                    .contains("threads")
                    .contains("thread guard stopped");
        }
    }

    @Test
    void isNotReadyBeforeTheTopicsHaveBeenAsked() throws Exception {
        try (CloseableStack service = new CloseableStack()) {
            AgentRunner resting =
                    service.add(AgentRunner.start(agent("committer", false), Duration.ofMillis(1)), Duration.ZERO);

            assertThat(health(resting, service, false).readiness())
                    .filteredOn(check -> check.problem().isPresent())
                    .singleElement()
                    .asString()
                    .contains("the topics have not been asked yet");
        }
    }

    private WriterHealth health(AgentRunner runner, CloseableStack service, boolean asked) {
        Committer committer = new Committer(
                stores.facts(),
                TestTables.digests(stores.facts()),
                TestTables::rules,
                new CommitterLimits(1, 1_000, 1, Duration.ofMillis(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                List.of());
        RelayStatus relay = new RelayStatus();
        if (asked) {
            relay.answered();
        }
        return new WriterHealth(
                runner,
                runner,
                committer,
                relay,
                new Backlog(new BacklogLimits(1, 1_000)),
                new FactsDamage(),
                Optional::empty,
                Optional::empty,
                TestTables.desk(stores.definitions(), clock).publishing(),
                service::failures);
    }

    private static Agent agent(String name, boolean fails) {
        return new Agent() {
            @Override
            public String roleName() {
                return name;
            }

            @Override
            public int doWork() {
                if (fails) {
                    throw new IllegalStateException("broken");
                }
                return 0;
            }
        };
    }
}
