package dev.tidemark.deploy.doctor;

import java.util.Map;
import java.util.Set;

/** Judges the PostgreSQL that a writer keeps its fact tables in. */
record PostgresRules(PostgresLook.Question asked, Findings findings) {
    /** The oldest version that the project tries. */
    private static final int OLDEST = 14;

    private static final int MAJOR = 10_000;

    /** What one writer opens at most. */
    private static final int CONNECTIONS = 32;

    private static final String CHECK = "writer facts";
    private static final String RELOAD = "; select pg_reload_conf();";

    /** Settings without which a commit that was answered may be lost, and the values that keep it. */
    private static final Map<String, Set<String>> KEEPING = Map.of(
            "fsync", Set.of("on"),
            "full_page_writes", Set.of("on"),
            "synchronous_commit", Set.of("on", "local", "remote_write", "remote_apply"));

    void judge(PostgresFacts facts) {
        if (facts instanceof PostgresFacts.Unreached unreached) {
            findings.failed(
                    CHECK,
                    asked.url() + ": " + unreached.why(),
                    "a PostgreSQL that lets the writer in",
                    "Start it, or correct facts.url, facts.user and facts.password.file, or pg_hba.conf of the server.");
        } else if (facts instanceof PostgresFacts.Server server) {
            judgeServer(server);
            judgeKeeping(server);
            judgeFollowers(server);
            judgeRole(server.role());
        }
    }

    private void judgeServer(PostgresFacts.Server server) {
        String found = asked.url() + ": PostgreSQL " + server.version() / MAJOR + "." + server.version() % MAJOR;
        String encoding = server.setting("server_encoding");
        if (server.version() < OLDEST * MAJOR) {
            findings.failed(CHECK, found, "version " + OLDEST + " or newer", "Upgrade that server.");
        } else if (server.standby()) {
            findings.failed(
                    CHECK,
                    found + ", which follows another server",
                    "a server that takes writes",
                    "Correct facts.url, or on that server run: select pg_promote();");
        } else if (!encoding.equals("UTF8")) {
            findings.failed(
                    CHECK,
                    found + " with the encoding " + encoding,
                    "UTF8",
                    "Make another database: create database tidemark template template0 encoding 'UTF8';");
        } else {
            findings.ok(CHECK, found + ", " + encoding);
        }
    }

    /** Each of them may be off for speed, and then a crash takes commits with it. */
    private void judgeKeeping(PostgresFacts.Server server) {
        boolean kept = true;
        for (Map.Entry<String, Set<String>> one : KEEPING.entrySet()) {
            String name = one.getKey();
            String value = server.setting(name);
            if (!one.getValue().contains(value)) {
                kept = false;
                findings.failed(
                        "facts on disk",
                        name + " is " + value,
                        "on, so that an answered write is not lost",
                        "Run: alter system set " + name + " = on" + RELOAD
                                + " Reset it for role and database where it was set there.");
            }
        }
        if (kept) {
            findings.ok("facts on disk", "fsync, full_page_writes and synchronous_commit are on");
        }
    }

    private void judgeFollowers(PostgresFacts.Server server) {
        if (server.followers() > 0
                && server.setting("synchronous_standby_names").isEmpty()) {
            findings.warning(
                    "facts elsewhere",
                    server.followers() + " servers follow this one, and it waits for none of them",
                    "a server that has each commit before it is answered, if it may take over",
                    "Run: alter system set synchronous_standby_names = 'ANY 1 (*)'" + RELOAD);
        }
    }

    private void judgeRole(PostgresFacts.Role role) {
        String check = "facts rights";
        if (role.creates()) {
            findings.ok(check, role.name() + " may make tables in the schema tidemark");
        } else {
            String verb = role.schema() ? "alter schema tidemark owner to " : "create schema tidemark authorization ";
            findings.failed(
                    check,
                    role.name() + " may not make " + (role.schema() ? "tables in " : "") + "the schema tidemark of "
                            + role.database(),
                    "a schema of its own",
                    "Run: " + verb + quoted(role.name()) + ";");
        }
        if (role.connections() < CONNECTIONS) {
            findings.warning(
                    "facts connections",
                    "there is room for " + role.connections() + " more connections",
                    "at least " + CONNECTIONS + " for a writer that starts",
                    "Run: alter system set max_connections = 200; and restart the server. Look also at the limits of"
                            + " the role and the database.");
        } else {
            findings.ok("facts connections", "there is room for " + role.connections() + " more");
        }
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
