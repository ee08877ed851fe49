package dev.tidemark.deploy.doctor.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.doctor.PostgresFacts;
import dev.tidemark.deploy.doctor.PostgresLook;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresExaminerTest {
    @Test
    void aPasswordThatOthersMayReadIsRefusedAsByTheWriter(@TempDir Path directory) throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "hunter2");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));

        // Nothing listens at port 1.
        PostgresFacts found = new PostgresExaminer()
                .look(new PostgresLook.Question("jdbc:postgresql://127.0.0.1:1/facts", "shop", Optional.of(password)));

        assertThat(((PostgresFacts.Unreached) found).why())
                .contains("chmod 600")
                .doesNotContain("hunter2");
    }
}
