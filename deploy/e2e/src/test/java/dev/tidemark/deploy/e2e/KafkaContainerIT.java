package dev.tidemark.deploy.e2e;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Load, kills and equality once more, on the broker of Kafka's own image. */
class KafkaContainerIT {
    private static final String IMAGE = "apache/kafka:4.3.1";
    private static final String TABLE = "people";
    private static final int ROUNDS = 4;

    @Test
    void nothingAcknowledgedIsLostWithTheBrokerOfAContainer() throws Exception {
        assumeTrue(
                DockerClientFactory.instance().isDockerAvailable(),
                "Docker does not answer, so the suite does not run on a broker in a container");
        try (KafkaContainer kafka = new KafkaContainer(IMAGE)) {
            kafka.start();
            try (StackUnderTest stack = StackUnderTest.start(
                            "container",
                            EnumSet.of(Role.WRITER, Role.WORKER),
                            settings -> settings.with(
                                            Role.WRITER, "kafka.bootstrap.servers", kafka.getBootstrapServers())
                                    .with(Role.WORKER, "kafka.bootstrap.servers", kafka.getBootstrapServers()));
                    SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 13)) {
                killBoth(stack, new Random(13));
                load.stop();
                load.history().check(stack.settle(TABLE));
            }
        }
    }

    private static void killBoth(StackUnderTest stack, Random random) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            for (Role role : List.of(Role.WRITER, Role.WORKER)) {
                BoundedWait.rest(Duration.ofMillis(200 + random.nextInt(1_500)));
                stack.kill(role);
                stack.startAgain(role);
            }
        }
    }
}
