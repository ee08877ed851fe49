package dev.tidemark.deploy.e2e.lag;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;
import dev.tidemark.deploy.stack.StackException;

/** No lag that anybody reports is smaller than the real one, in any situation; and it comes back by itself. */
@Execution(ExecutionMode.CONCURRENT)
@Order(1) // It takes longest.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LagAccuracyIT {
    private final BrokerProxy proxy = BrokerProxy.open();
    private final StackUnderTest stack = startStack();

    private StackUnderTest startStack() {
        try {
            return StackUnderTest.start(
                    "honesty",
                    settings -> proxy.applyTo(settings.withCatalog(StackUnderTest.resource("/e2e/lag-accuracy.yaml"))));
        } catch (StackException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    void end() throws IOException {
        stack.close();
        proxy.close();
    }

    @Nested
    class Everyday extends EverydayLagAccuracy {
        Everyday() {
            super(stack);
        }
    }

    @Nested
    @TakesTurns(turn = 2, of = 4)
    class WorkerAway extends WorkerAwayLagAccuracy {
        WorkerAway() {
            super(stack);
        }
    }

    @Nested
    @TakesTurns(turn = 0, of = 4)
    class BrokerAway extends BrokerAwayLagAccuracy {
        BrokerAway() {
            super(stack, proxy);
        }
    }

    @Nested
    @TakesTurns(turn = 1, of = 4)
    class Partitions extends PartitionLagAccuracy {
        Partitions() {
            super(stack);
        }
    }

    @Nested
    @Order(Integer.MAX_VALUE)
    @TakesTurns(turn = 3, of = 4)
    class Clocks extends ClockLagAccuracy {
        Clocks() {
            super(stack);
        }
    }
}
