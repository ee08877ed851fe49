package dev.tidemark.deploy.e2e.lag;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** No lag that anybody reports is smaller than the real one, in any situation; and it comes back by itself. */
@Execution(ExecutionMode.CONCURRENT)
class LagAccuracyIT {
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Everyday extends EverydayLagAccuracy {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class WorkerAway extends WorkerAwayLagAccuracy {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class BrokerAway extends BrokerAwayLagAccuracy {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Partitions extends PartitionLagAccuracy {}

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Clocks extends ClockLagAccuracy {}
}
