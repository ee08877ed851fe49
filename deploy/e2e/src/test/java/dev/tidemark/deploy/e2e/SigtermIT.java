package dev.tidemark.deploy.e2e;

import java.time.Duration;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import dev.tidemark.deploy.e2e.load.EndlessUpload;
import dev.tidemark.deploy.e2e.load.SteadyLoad;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;

/** Both services end in order and in time though requests keep coming. */
@ExtendWith(SharedStack.Last.class)
@Order(Integer.MAX_VALUE - 1)
class SigtermIT {
    private static final String TABLE = "terminated_people";
    private static final String OTHER_TABLE = "uploaded_people";
    private static final Duration WHILE = Duration.ofSeconds(1);

    private final StackUnderTest stack;

    SigtermIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @Test
    void bothServicesExitWithZeroUnderLoadAndNothingAcknowledgedIsLost() throws Exception {
        try (SteadyLoad load = SteadyLoad.start(TABLE, stack.facts(), 3);
                EndlessUpload upload = EndlessUpload.start(OTHER_TABLE, stack.facts())) {
            BoundedWait.rest(WHILE);
            assertThat(stack.terminate(Role.WRITER))
                    .as("exit code of the writer")
                    .isZero();
            stack.startAgain(Role.WRITER);
            BoundedWait.rest(WHILE);
            assertThat(stack.terminate(Role.WORKER))
                    .as("exit code of the worker")
                    .isZero();
            BoundedWait.rest(WHILE);
            stack.startAgain(Role.WORKER);
            load.stop();
            assertThat(upload.rowsSent()).isPositive();
            load.history().check(stack.settle(TABLE));
        }
        stack.settle(OTHER_TABLE);
    }
}
