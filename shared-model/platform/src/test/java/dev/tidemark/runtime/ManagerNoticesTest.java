package dev.tidemark.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ManagerNoticesTest {
    @TempDir
    Path directory;

    @Test
    void aServiceManagerThatAsksIsToldOfStartAndLife() throws Exception {
        ManagerNotices notices = new ManagerNotices(
                Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", "60000000"), program());

        notices.started();
        notices.running();

        assertThat(notices.interval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(said()).isEqualTo("READY=1\nWATCHDOG=1\n");
    }

    @Test
    void nobodyElseIsToldAnything() throws Exception {
        ManagerNotices notices = new ManagerNotices(Map.of("WATCHDOG_USEC", "1000"), program());

        notices.started();
        notices.running();

        assertThat(notices.interval()).isGreaterThan(Duration.ofHours(1));
        assertThat(said()).isEmpty();
    }

    @Test
    void anIntervalThatIsNoneIsNotFollowed() throws Exception {
        for (String interval : new String[] {"", "0", "-1", "soon", "99999999999999999999"}) {
            assertThat(new ManagerNotices(Map.of("NOTIFY_SOCKET", "x", "WATCHDOG_USEC", interval), program())
                            .interval())
                    .as(interval)
                    .isGreaterThan(Duration.ofHours(1));
        }
    }

    @Test
    void aServiceGoesOnWhereItsManagerCannotBeTold() throws Exception {
        ManagerNotices notices = new ManagerNotices(
                Map.of("NOTIFY_SOCKET", "x"), directory.resolve("nothing").toString());

        notices.started();
        notices.running();
    }

    /** A program that writes down what it is given. */
    private String program() throws IOException {
        Path program = directory.resolve("notify");
        Files.writeString(program, "#!/bin/sh\necho \"$1\" >> '" + directory.resolve("said") + "'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program.toString();
    }

    private String said() throws IOException {
        Path said = directory.resolve("said");
        return Files.exists(said) ? Files.readString(said) : "";
    }
}
