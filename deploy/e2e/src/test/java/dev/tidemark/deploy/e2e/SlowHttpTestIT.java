package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import dev.tidemark.deploy.e2e.load.People;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.e2e.running.TakesTurns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The attacks of slowhttptest, a tool of other people; skipped where it is not installed ({@code .ci/slowhttptest}).
 */
@Execution(ExecutionMode.CONCURRENT)
@TakesTurns(turn = 2, of = 3)
class SlowHttpTestIT {
    private static final Path TOOL = Path.of("/usr/bin/slowhttptest");
    private static final int CONNECTIONS = 400;
    private static final int SECONDS = 4;
    private static final int ROWS = 200;

    private static StackUnderTest stack;

    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Files.isExecutable(TOOL), "slowhttptest is not installed: its attacks are not tried");
        stack = StackUnderTest.start(
                "slowhttptest", settings -> settings.withCatalog(StackUnderTest.resource("/e2e/kills.yaml")));
        People people = new People(new Random(3));
        for (int i = 0; i < ROWS; i++) {
            stack.facts()
                    .put("people", "row-" + i, people.row("row-" + i).put("text", "x".repeat(10_000)))
                    .requireOk();
        }
    }

    @AfterAll
    static void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void slow_headers_leave_both_services_available() throws Exception {
        requireAvailable(List.of(writer() + "/health/live", worker() + "/v1/lag"), "-H");
    }

    @Test
    void slow_bodies_leave_both_services_available() throws Exception {
        String[] json = {"-B", "-t", "POST", "-s", "900000", "-x", "10", "-f", "application/json"};
        requireAvailable(List.of(writer() + "/v1/tables/people/rows:lookup", worker() + "/v1/verify"), json);
        requireAvailable(List.of(worker() + "/not/there"), json);
    }

    @Test
    void slow_readers_leave_both_services_available() throws Exception {
        String[] reading = {"-X", "-n", "1", "-z", "5", "-k", "3"};
        requireAvailable(
                List.of(
                        writer() + "/v1/tables/people/rows?limit=1000",
                        worker() + "/v1/indexes/people.by_town/entries?limit=1000"),
                reading);
    }

    private static URI writer() {
        return stack.stack().writerUrl();
    }

    private static URI worker() {
        return stack.stack().workerUrl();
    }

    /** Attacks all of them at a time. */
    private void requireAvailable(List<String> urls, String... mode) throws Exception {
        List<Process> tools = new ArrayList<>();
        try {
            for (String url : urls) {
                tools.add(attack(url, report(tools.size()), mode));
            }
            for (Process tool : tools) {
                assertThat(tool.waitFor(SECONDS * 10L, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            tools.forEach(Process::destroyForcibly);
        }
        for (int i = 0; i < urls.size(); i++) {
            requireAvailable(urls.get(i), Files.readAllLines(Path.of(report(i) + ".csv")), mode[0]);
        }
    }

    private Path report(int attack) {
        return directory.resolve("report" + attack);
    }

    private Process attack(String url, Path report, String... mode) throws IOException {
        List<String> command = new ArrayList<>(List.of(TOOL.toString()));
        command.addAll(List.of(mode));
        command.addAll(List.of("-c", "" + CONNECTIONS, "-r", "200", "-i", "1", "-l", "" + SECONDS, "-p", "2"));
        command.addAll(List.of("-v", "0", "-g", "-o", report.toString(), "-u", url));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Path.of(report + ".out").toFile())
                .start();
    }

    /** The tool asks for the same path meanwhile, and notes each second whether it was answered within two. */
    private static void requireAvailable(String url, List<String> seconds, String mode) {
        // Fewer than it was asked for where the service has closed all its connections before.
        assertThat(seconds).hasSizeGreaterThan(2);
        assertThat(seconds.subList(1, seconds.size()))
                .as("%s %s: seconds, closed, pending, connected, available", url, mode)
                .noneMatch(second -> second.endsWith(",0"));
    }
}
