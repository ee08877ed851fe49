package dev.tidemark.deploy.e2e.honesty;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** No lag that anybody reports is smaller than the real one, in any situation; and it comes back by itself. */
@Execution(ExecutionMode.CONCURRENT)
class HonestyIT {
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Everyday extends EverydayHonesty {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class WorkerAway extends WorkerAwayHonesty {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class BrokerAway extends BrokerAwayHonesty {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Partitions extends PartitionHonesty {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Clocks extends ClockHonesty {}
}
