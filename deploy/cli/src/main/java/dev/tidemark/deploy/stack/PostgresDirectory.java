package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.tidemark.runtime.PrivateFiles;

/**
 * What a PostgreSQL that belongs to a stack keeps: its data, and the password of its one role, whose database has the
 * same name. The server listens on the loopback address only, and on no Unix socket. Its superuser has no password, so
 * that a login as that fails.
 */
public record PostgresDirectory(Path path) {
    /** The name of role and database. */
    static final String NAME = "tidemark";

    private static final int SECRET_BYTES = 24;

    /** The line of the server's own pid file that says how it is. */
    private static final int STATUS_LINE = 7;

    /** Where the server keeps its data. */
    public Path data() {
        return path.resolve("data");
    }

    /** A file that only its owner may read. */
    public Path password() {
        return path.resolve("password");
    }

    /**
     * Makes the data, unless it is there.
     *
     * @param settings of the server, in place of what it would have
     * @param log what programs print is added there
     * @return the command that runs the server
     * @throws StackException when no PostgreSQL is installed, or its programs fail
     */
    List<String> prepare(int port, Map<String, String> settings, Path log) throws StackException, InterruptedException {
        try {
            boolean isNew = !Files.exists(data());
            Path directory = data();
            if (isNew) {
                directory = path.resolve("data.new");
                PrivateFiles.removeDirectory(directory);
                Files.createDirectories(directory);
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            PostgresPrograms programs = PostgresPrograms.forDirectory(directory);
            if (isNew) {
                create(programs, directory, log);
                // Only data that is complete has its name.
                Files.move(directory, data());
            }
            return command(programs, port, settings);
        } catch (IOException e) {
            throw new StackException("cannot prepare " + path + " for PostgreSQL: " + e);
        }
    }

    private void create(PostgresPrograms programs, Path directory, Path log)
            throws IOException, StackException, InterruptedException {
        String secret = secret();
        Files.deleteIfExists(password());
        Files.createFile(
                password(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password(), secret + System.lineSeparator());
        programs.run(
                directory,
                "",
                log,
                "initdb",
                "--pgdata=" + directory,
                "--username=postgres",
                "--encoding=UTF8",
                "--locale=C",
                "--auth-local=reject",
                "--auth-host=scram-sha-256",
                "--data-checksums");
        // The password passes through a pipe: command lines can be read by everybody on the machine.
        String statements = "create role " + NAME + " login password '" + secret + "'\n" + "create database " + NAME
                + " owner " + NAME + "\n";
        programs.run(
                directory,
                statements,
                log,
                "postgres",
                "--single",
                "-D",
                directory.toString(),
                "-c",
                "exit_on_error=on",
                "-c",
                "log_min_error_statement=panic",
                "postgres");
    }

    private List<String> command(PostgresPrograms programs, int port, Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("port", Integer.toString(port));
        settings.put("unix_socket_directories", "");
        List<String> arguments = new ArrayList<>(List.of("-D", data().toString()));
        settings.forEach((key, value) -> arguments.addAll(List.of("-c", key + "=" + value)));
        return programs.command("postgres", arguments.toArray(String[]::new));
    }

    /** Whether the server of that process takes connections. */
    boolean isReady(long pid) {
        try {
            List<String> lines = Files.readAllLines(data().resolve("postmaster.pid"));
            return lines.size() > STATUS_LINE
                    && lines.get(0).equals(Long.toString(pid))
                    && lines.get(STATUS_LINE).strip().equals("ready");
        } catch (IOException e) {
            return false;
        }
    }

    private static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().encodeToString(bytes);
    }
}
