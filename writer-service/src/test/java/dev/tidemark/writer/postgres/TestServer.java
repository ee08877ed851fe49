package dev.tidemark.writer.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

import dev.tidemark.testkit.UnusedPort;
import dev.tidemark.writer.database.FactsSettings;

import static org.awaitility.Awaitility.await;

/**
 * A PostgreSQL server of this JVM, one for each version, as a child process on a free port of the loopback interface.
 * It ends with the JVM. Each test has a database for itself.
 */
public final class TestServer {
    private static final Path ROOT = Path.of("target", "tmp", "postgresql").toAbsolutePath();
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15/bin");
    private static final String USER = "tidemark";
    private static final Map<Version, TestServer> RUNNING = new EnumMap<>(Version.class);

    private final Path programs;
    private final Path directory;
    private final Path password;
    private final int port;
    private final Deque<FactsSettings> unused = new ArrayDeque<>();
    private int databases;
    private @Nullable Process process;

    /** Where the programs of a version come from. */
    public enum Version {
        /** PostgreSQL 15, from the package of Debian; tests are skipped where that is not installed. */
        DEBIAN_15,
        /** PostgreSQL 17, from an archive that Maven brings. */
        ARCHIVE_17
    }

    private TestServer(Version version) throws IOException, InterruptedException {
        Path home = Files.createDirectories(ROOT.resolve(version.name()));
        this.programs = version == Version.DEBIAN_15 ? DEBIAN : extracted(home.resolve("programs"));
        this.directory = home.resolve("data-" + ProcessHandle.current().pid());
        this.password = home.resolve("password-" + ProcessHandle.current().pid());
        Files.deleteIfExists(password);
        Files.createFile(password, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, "open sesame");
        this.port = UnusedPort.find();
        run(
                "initdb",
                "-D",
                directory.toString(),
                "-U",
                USER,
                "-E",
                "UTF8",
                "--locale=C",
                "--no-sync",
                "--auth=scram-sha-256",
                "--pwfile=" + password);
    }

    /** The running server of that version; the test is skipped where there is none. */
    public static synchronized TestServer of(Version version) {
        Assumptions.assumeTrue(
                version != Version.DEBIAN_15 || Files.isDirectory(DEBIAN), "PostgreSQL 15 is not at " + DEBIAN);
        return RUNNING.computeIfAbsent(version, TestServer::begin);
    }

    private static TestServer begin(Version version) {
        try {
            TestServer server = new TestServer(version);
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::end));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** An empty database. To make one takes long, so give it back. */
    public synchronized FactsSettings database() {
        FactsSettings known = unused.poll();
        return known == null ? newDatabase("TEMPLATE template1") : known;
    }

    /** Takes a database back, to which nothing is connected. */
    public synchronized void giveBack(FactsSettings settings) {
        execute(settings, "DROP SCHEMA IF EXISTS tidemark CASCADE");
        unused.add(settings);
    }

    /** Makes a database with some options of {@code CREATE DATABASE}. */
    synchronized FactsSettings newDatabase(String options) {
        String name = "test" + ++databases;
        execute("postgres", "CREATE DATABASE " + name + " " + options);
        return new FactsSettings(url(name), Optional.of(USER), Optional.of(password));
    }

    /** Carries out statements in the database of those settings. */
    void execute(FactsSettings settings, String... statements) {
        execute(name(settings), statements);
    }

    /** A connection of its own to the database of those settings. */
    public Connection connect(FactsSettings settings) throws SQLException {
        return DriverManager.getConnection(settings.url(), USER, "open sesame");
    }

    /** Name of the database of those settings. */
    static String name(FactsSettings settings) {
        return settings.url().substring(settings.url().lastIndexOf('/') + 1);
    }

    int port() {
        return port;
    }

    /** Starts the server with more settings. */
    public void start(String... settings) throws IOException {
        List<String> command = new ArrayList<>(asUser());
        command.addAll(List.of(programs.resolve("postgres").toString(), "-D", directory.toString()));
        List<String> all = new ArrayList<>(List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=32MB",
                "max_connections=60",
                "wal_level=replica"));
        all.addAll(List.of(settings));
        all.forEach(setting -> command.addAll(List.of("-c", setting)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("server.log").toFile()))
                .start();
        await().atMost(30, TimeUnit.SECONDS)
                .pollInterval(30, TimeUnit.MILLISECONDS)
                .until(this::answers);
    }

    /** Ends the server as a crash would: nothing is flushed. */
    public void crash() throws IOException, InterruptedException {
        stop("immediate");
    }

    void stop(String mode) throws IOException, InterruptedException {
        run("pg_ctl", "stop", "-D", directory.toString(), "-m", mode);
        Objects.requireNonNull(process).waitFor();
    }

    /** The data directory. */
    Path directory() {
        return directory;
    }

    private void end() {
        try {
            crash();
            run("rm", "-rf", directory.toString());
        } catch (IOException | InterruptedException e) {
            Objects.requireNonNull(process).destroyForcibly();
        }
    }

    private boolean answers() {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, "open sesame")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    private void execute(String database, String... statements) {
        try (Connection connection = DriverManager.getConnection(url(database), USER, "open sesame");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(asUser());
        Path own = programs.resolve(program);
        command.add(Files.exists(own) ? own.toString() : program);
        command.addAll(List.of(arguments));
        require(command);
    }

    /** PostgreSQL refuses to run as root. In a new user namespace, root is the user nobody, and may use its files. */
    private static List<String> asUser() {
        return "root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of();
    }

    private static Path extracted(Path to) throws IOException, InterruptedException {
        Path marker = to.resolve("complete");
        if (!Files.exists(marker)) {
            Path archive = Files.createTempFile("postgresql", ".txz");
            try (InputStream in =
                    Objects.requireNonNull(TestServer.class.getResourceAsStream("/postgres-linux-x86_64.txz"))) {
                Files.createDirectories(to);
                Files.write(archive, in.readAllBytes());
                require(List.of("tar", "-xJf", archive.toString(), "-C", to.toString()));
                Files.createFile(marker);
            } finally {
                Files.delete(archive);
            }
        }
        return to.resolve("bin");
    }

    private static void require(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " failed: " + said);
        }
    }
}
