package dev.tidemark.source.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import dev.tidemark.testkit.UnusedPort;

import static org.awaitility.Awaitility.await;

/** A MariaDB that {@code .ci/mariadb} has fetched. Its clock is not in UTC. */
public final class MariaDbServer implements TestServer {
    private static final Path HOME = Path.of(System.getProperty("user.home"), ".cache", "tidemark", "mariadb");
    private static final String USER = "root";
    private static final String PASSWORD = "none";
    private static @Nullable MariaDbServer shared;

    private final Path directory;
    private final int port;
    private Process process;
    private int databases;

    private MariaDbServer(Path directory) throws IOException {
        this.directory = directory;
        copy(HOME.resolve("data"), directory);
        port = UnusedPort.find();
        process = start();
        sql(
                "mysql",
                "CREATE DATABASE tidemark",
                "CREATE TABLE tidemark.markers (source VARCHAR(63) PRIMARY KEY, content MEDIUMTEXT NOT NULL)");
    }

    private Process start() throws IOException {
        List<String> command =
                new ArrayList<>(List.of(HOME.resolve("usr/sbin/mariadbd").toString(), "--no-defaults"));
        for (String setting : List.of(
                "user=" + System.getProperty("user.name"),
                "basedir=" + HOME.resolve("usr"),
                "datadir=" + directory,
                "port=" + port,
                "bind-address=127.0.0.1",
                "skip-name-resolve=1",
                "socket=",
                "log-bin=binlog",
                "server-id=7",
                "binlog-format=ROW",
                "default-time-zone=+05:30",
                "character-set-server=latin1",
                "innodb-buffer-pool-size=32M",
                "innodb-log-file-size=8M",
                "innodb-flush-log-at-trx-commit=2")) {
            command.add("--" + setting);
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("server.log").toFile()));
        try (Stream<Path> libraries = Files.list(HOME.resolve("usr/lib"))) {
            builder.environment()
                    .put("LD_LIBRARY_PATH", libraries.findFirst().orElseThrow().toString());
        }
        Process started = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(AssertionError.class)
                .until(() -> number("mysql", "SELECT 1") == 1);
        return started;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    /** The server of this JVM, which ends with it; the test is skipped where there is none. */
    public static synchronized MariaDbServer shared() {
        Assumptions.assumeTrue(
                Files.isDirectory(HOME.resolve("data")), "MariaDB is not in " + HOME + "; .ci/mariadb brings it");
        MariaDbServer running = shared;
        if (running == null) {
            try {
                Path home = Files.createDirectories(Path.of("target", "tmp").toAbsolutePath());
                running = new MariaDbServer(
                        home.resolve("mariadb-" + ProcessHandle.current().pid()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            shared = running;
        }
        return running;
    }

    /** Kills the server, and starts it again. */
    public void restart() throws IOException {
        kill();
        process = start();
    }

    private void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public synchronized String newDatabase() {
        String name = "test" + ++databases;
        sql("mysql", "CREATE DATABASE " + name);
        return name;
    }

    @Override
    public void dropDatabase(String name) {
        sql("mysql", "DROP DATABASE " + name);
    }

    @Override
    public Map<String, String> settings(String database) {
        return Map.of(
                "connector.connect.keep.alive.interval.ms",
                "1000",
                "connector.class",
                "io.debezium.connector.mariadb.MariaDbConnector",
                "database.hostname",
                "127.0.0.1",
                "database.port",
                Integer.toString(port),
                "database.user",
                USER,
                "database.password",
                PASSWORD);
    }

    @Override
    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/" + database, USER, PASSWORD);
    }

    @Override
    public String table(String database, String name) {
        return database + "." + name;
    }

    @Override
    public String rowsOf(String database, String table, String key) {
        List<String> columns = new ArrayList<>();
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery("SELECT * FROM " + table + " LIMIT 0")) {
            for (int i = 1; i <= none.getMetaData().getColumnCount(); i++) {
                String name = none.getMetaData().getColumnName(i);
                columns.add("'" + name + "', " + name);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return "SELECT " + key + ", JSON_OBJECT(" + String.join(", ", columns) + ") FROM " + table;
    }

    @Override
    public String numbers(int from, int to) {
        return "seq_" + from + "_to_" + to;
    }
}
