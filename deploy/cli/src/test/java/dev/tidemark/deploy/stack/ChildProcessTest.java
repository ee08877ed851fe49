package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ChildProcessTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path directory = Path.of("");

    private ChildProcess child = child("cat");

    @BeforeEach
    void readsUntilItsInputEnds() {
        child = child("echo started; exec cat");
    }

    @AfterEach
    void endTheChild() throws InterruptedException {
        child.kill();
        assertThat(child.awaitEnd(PATIENCE)).isTrue();
    }

    @Test
    void keepsPidAndLogInItsDirectory() throws IOException {
        child.start();

        long pid = child.handle().orElseThrow().pid();
        assertThat(directory.resolve("writer.pid")).content().isEqualToIgnoringWhitespace(Long.toString(pid));
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(directory.resolve("writer.log")))
                        .isEqualTo("started\n"));
        assertThat(LogTail.lastLines(directory.resolve("writer.log"), 3)).isEqualTo("  | started");
        assertThat(child.isAlive()).isTrue();
    }

    @Test
    void tellsOfAKillByItsExitCodeAndStartsAgain() throws InterruptedException {
        child.start();
        child.kill();

        assertThat(child.awaitEnd(PATIENCE)).isTrue();
        assertThat(child.exitCode()).isEqualTo(137);

        child.start();

        assertThat(child.isAlive()).isTrue();
        assertThat(child.exitCode()).isEqualTo(-1);
    }

    @Test
    void doesNotStartASecondProcessBesideALivingOne() {
        child.start();
        ProcessHandle first = child.handle().orElseThrow();

        child.start();

        assertThat(child.handle()).contains(first);
    }

    @Test
    void endsOnlyAfterItWasResumedWhenSuspended() throws InterruptedException {
        child.start();
        child.suspend();
        child.requestEnd();

        assertThat(child.awaitEnd(Duration.ofMillis(200))).isFalse();

        child.resume();

        assertThat(child.awaitEnd(PATIENCE)).isTrue();
    }

    @Test
    void refusesToSuspendWhatDoesNotRun() {
        assertThatThrownBy(child::suspend).hasMessage("Expected the writer to run, but it does not");
    }

    @Test
    void leavesNoPidFileBehindWhenForgotten() {
        child.start();
        child.forget();

        assertThat(directory.resolve("writer.pid")).doesNotExist();
    }

    private ChildProcess child(String script) {
        return new ChildProcess(new ChildSpec(ChildId.first(Role.WRITER), List.of("sh", "-c", script), directory));
    }
}
