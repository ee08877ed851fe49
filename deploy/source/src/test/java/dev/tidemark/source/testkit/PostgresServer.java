package dev.tidemark.source.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

import dev.tidemark.testkit.UnusedPort;

import static org.awaitility.Awaitility.await;

/** A PostgreSQL server as a child process, on a free port of the loopback interface. */
public final class PostgresServer implements TestServer {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql/15/bin");
    private static final String USER = "postgres";
    private static final Map<String, PostgresServer> RUNNING = new HashMap<>();

    private final int port;
    private final Process process;
    private int databases;

    private PostgresServer(Path directory) throws IOException, InterruptedException {
        port = UnusedPort.find();
        run("initdb", "-D", directory.toString(), "-U", USER, "-E", "UTF8", "--locale=C", "--no-sync", "--auth=trust");
        List<String> command = new ArrayList<>(asUser());
        command.addAll(List.of(PROGRAMS.resolve("postgres").toString(), "-D", directory.toString()));
        for (String setting : List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=32MB",
                "wal_level=logical",
                "fsync=off",
                "max_wal_senders=20",
                "max_replication_slots=40")) {
            command.addAll(List.of("-c", setting));
        }
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("server.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> number("postgres", "SELECT 1") == 1);
    }

    /** The server of this JVM, which ends with it; the test is skipped where no PostgreSQL is installed. */
    public static PostgresServer shared() {
        return shared("postgresql");
    }

    /** Another one, for tests that run beside those of the first: a slot waits for all transactions of its server. */
    public static synchronized PostgresServer shared(String name) {
        Assumptions.assumeTrue(Files.isDirectory(PROGRAMS), "PostgreSQL 15 is not at " + PROGRAMS);
        return RUNNING.computeIfAbsent(name, PostgresServer::start);
    }

    private static PostgresServer start(String name) {
        try {
            Path home = Files.createDirectories(Path.of("target", "tmp").toAbsolutePath());
            PostgresServer server = new PostgresServer(
                    home.resolve(name + "-" + ProcessHandle.current().pid()));
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The server refuses to run as root; in another namespace of users, root is another user. */
    private static List<String> asUser() {
        return "root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of();
    }

    private static void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser());
        command.add(PROGRAMS.resolve(program).toString());
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new AssertionError(said);
        }
    }

    @Override
    public synchronized String newDatabase() {
        String name = "test" + ++databases;
        sql("postgres", "CREATE DATABASE " + name);
        return name;
    }

    @Override
    public void dropDatabase(String name) {
        sql("postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");
        await().atMost(Duration.ofSeconds(10))
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> {
                    sql(
                            "postgres",
                            "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '"
                                    + name + "'",
                            "DROP DATABASE " + name + " WITH (FORCE)");
                    return true;
                });
    }

    @Override
    public Map<String, String> settings(String database) {
        return Map.of(
                "database.hostname",
                "127.0.0.1",
                "database.port",
                Integer.toString(port),
                "database.user",
                USER,
                "database.password",
                "none",
                "database.dbname",
                database);
    }

    /** Where it listens on the loopback interface. */
    public int port() {
        return port;
    }

    @Override
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database, USER, "");
    }

    @Override
    public String table(String database, String name) {
        return "public." + name;
    }

    @Override
    public String rowsOf(String database, String table, String key) {
        return "SELECT " + key + "::text, row_to_json(" + table + ")::text FROM " + table;
    }

    @Override
    public String numbers(int from, int to) {
        return "generate_series(" + from + ", " + to + ") seq";
    }

    private void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
