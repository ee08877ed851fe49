package dev.tidemark.deploy.stack;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.runtime.BoundedWait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** With a real server, where its programs are installed. */
final class PostgresDirectoryTest {
    private static final ChildId SERVER = ChildId.first(Role.POSTGRESQL);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(20);

    @TempDir
    Path stack = Path.of("");

    private int port;
    private ChildProcess server = new ChildProcess(new ChildSpec(SERVER, List.of("false"), stack));

    private PostgresDirectory directory() {
        return new PostgresDirectory(stack.resolve("postgresql"));
    }

    @BeforeEach
    void startTheServer() throws Exception {
        assumeTrue(
                PostgresPrograms.find(System.getenv()).isPresent(),
                "PostgreSQL is not installed, so that its server is not tried");
        port = LoopbackPort.anyFree(Set.of());
        start();
    }

    @AfterEach
    void endTheServer() throws InterruptedException {
        server.requestEnd();
        assertThat(server.awaitEnd(PATIENCE)).isTrue();
    }

    private void start() throws Exception {
        List<String> command = directory().prepare(port, Map.of(), stack.resolve("postgresql.log"));
        server = new ChildProcess(new ChildSpec(SERVER, command, stack));
        server.start();
        long pid = server.handle().orElseThrow().pid();
        assertThat(BoundedWait.until(() -> directory().isReady(pid), PATIENCE, STEP))
                .as("%s", LogTail.lastLines(stack.resolve("postgresql.log"), 20))
                .isTrue();
    }

    @Test
    void letsOnlyItsRoleInKeepsRowsOverARestartAndEndsInOrder() throws Exception {
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory().password())))
                .isEqualTo("rw-------");
        assertThat(sql("tidemark", password(), "show data_checksums", "show server_encoding"))
                .isEqualTo("on\nUTF8\n");
        assertThat(sql("tidemark", "wrong", "select 1")).contains("authentication failed");
        assertThat(sql("postgres", password(), "select 1")).contains("authentication failed");
        assertThat(String.join(" ", server.spec().command())).doesNotContain(password());
        sql("tidemark", password(), "create table kept as select 7 as number");

        server.requestEnd();

        assertThat(server.awaitEnd(PATIENCE)).isTrue();
        assertThat(server.exitCode()).isZero();
        assertThat(Files.readString(stack.resolve("postgresql.log"))).contains("fast shutdown request");

        start();

        assertThat(sql("tidemark", password(), "select number from kept")).isEqualTo("7\n");
        assertThat(directory().isReady(1)).isFalse();
    }

    private String password() throws Exception {
        return Files.readString(directory().password()).strip();
    }

    private String sql(String user, String password, String... statements) throws Exception {
        Path psql = PostgresPrograms.find(System.getenv()).orElseThrow().resolve("psql");
        List<String> command = Stream.concat(
                        Stream.of(psql.toString(), "-h", "127.0.0.1", "-p", port + "", "-U", user, "-XAt", "tidemark"),
                        Stream.of(statements).flatMap(one -> Stream.of("-c", one)))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", password);
        return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
