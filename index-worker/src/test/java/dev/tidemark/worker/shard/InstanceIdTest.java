package dev.tidemark.worker.shard;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class InstanceIdTest {
    @TempDir
    Path directory = Path.of("");

    @Test
    void keepsTheNameThatItMakes() {
        String made = InstanceId.of("auto", directory);
        assertThat(made).startsWith("worker-");
        assertThat(InstanceId.of("auto", directory)).isEqualTo(made);
    }

    @Test
    void takesANameAsItIsAndNoneForNone() {
        assertThat(InstanceId.of("worker-7", directory)).isEqualTo("worker-7");
        assertThat(InstanceId.of("none", directory)).isEmpty();
    }
}
