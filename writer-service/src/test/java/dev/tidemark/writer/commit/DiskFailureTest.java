package dev.tidemark.writer.commit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DiskFailureTest {
    @Test
    void refusesWritesFromTheFirstFailureOnAndKeepsThatOne() {
        DiskFailure failure = new DiskFailure();
        assertThat(failure.refusal()).isEmpty();

        failure.found("sync of file 7 failed");
        failure.found("sync of file 8 failed");

        assertThat(failure.refusal().orElseThrow())
                .contains("has to start again")
                .contains("file 7")
                .doesNotContain("file 8");
    }
}
