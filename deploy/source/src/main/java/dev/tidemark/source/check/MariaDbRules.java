package dev.tidemark.source.check;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.MarkerContent;
import dev.tidemark.source.feed.Writer;

/** Judges what was found in a MariaDB. */
public final class MariaDbRules {
    private static final int SECONDS_A_DAY = 86_400;

    /** Rights on the whole server, with other names of each. */
    private static final Map<String, List<String>> RIGHTS = Map.of(
            "REPLICATION SLAVE", List.of("REPLICATION SLAVE", "REPLICATION REPLICA"),
            "BINLOG MONITOR", List.of("BINLOG MONITOR", "REPLICATION CLIENT"),
            "RELOAD", List.of("RELOAD"));

    private MariaDbRules() {}

    /**
     * What the database lacks for these tables.
     *
     * @param oddities columns that no row can hold as they are
     */
    public static List<Lack> lacks(MariaDbFacts facts, List<Writer.Followed> followed, List<String> oddities) {
        List<Lack> lacks = new ArrayList<>();
        server(facts, lacks);
        markers(facts, followed, lacks);
        rights(facts, lacks);
        for (Writer.Followed table : followed) {
            Optional<MariaDbFacts.Table> found = facts.tables().stream()
                    .filter(one -> one.name().equals(table.source()))
                    .findFirst();
            if (found.isPresent()) {
                table(facts, found.get(), table.primaryKey(), lacks);
            } else {
                lacks.add(Lack.must("there is no table " + table.source() + " that " + facts.user() + " may see"));
            }
        }
        oddities.forEach(what -> lacks.add(Lack.note(what)));
        return lacks;
    }

    private static void server(MariaDbFacts facts, List<Lack> lacks) {
        if (!setting(facts, "log_bin").equals("ON")) {
            lacks.add(Lack.must(
                    "log_bin is off; it is needed in the section [mariadbd] of the server's configuration, and a"
                            + " restart"));
        }
        wanted(facts, "binlog_format", "ROW", lacks);
        wanted(facts, "binlog_row_image", "FULL", lacks);
        wanted(facts, "log_bin_compress", "OFF", lacks);
        if (setting(facts, "server_id").equals("0")) {
            lacks.add(Lack.must("server_id is 0, so that nothing can follow the server", "SET GLOBAL server_id = 1;"));
        }
        durable(facts, "innodb_flush_log_at_trx_commit", "the tables may lack changes that were followed", lacks);
        durable(facts, "sync_binlog", "the binary log may lack changes of the tables, which are never followed", lacks);
        long kept = Long.parseLong(setting(facts, "binlog_expire_logs_seconds"));
        if (kept > 0 && kept < SECONDS_A_DAY) {
            lacks.add(Lack.note(
                    "binlog_expire_logs_seconds is " + kept
                            + ": changes are lost when the source is away for longer than that",
                    "SET GLOBAL binlog_expire_logs_seconds = 604800;"));
        }
    }

    /** A server that ends unexpectedly must have its tables and its binary log at the same place. */
    private static void durable(MariaDbFacts facts, String name, String risk, List<Lack> lacks) {
        String now = setting(facts, name);
        if (!now.equals("1")) {
            lacks.add(Lack.note(
                    name + " is " + now + ": after a crash of the server or its machine, " + risk,
                    "SET GLOBAL " + name + " = 1;"));
        }
    }

    private static void wanted(MariaDbFacts facts, String name, String value, List<Lack> lacks) {
        String now = setting(facts, name);
        if (!now.equals(value)) {
            lacks.add(Lack.must(
                    name + " is " + now + "; " + value
                            + " is needed, for new sessions and in the configuration as well",
                    "SET GLOBAL " + name + " = '" + value + "';"));
        }
    }

    private static String setting(MariaDbFacts facts, String name) {
        return facts.settings().getOrDefault(name, "0").toUpperCase(Locale.ROOT);
    }

    private static void rights(MariaDbFacts facts, List<Lack> lacks) {
        Set<String> all = granted(facts, "*.*");
        RIGHTS.forEach((right, names) -> {
            if (!all.contains("ALL PRIVILEGES") && names.stream().noneMatch(all::contains)) {
                lacks.add(Lack.must(
                        facts.user() + " lacks the right " + right,
                        "GRANT " + right + " ON *.* TO " + facts.user() + ";"));
            }
        });
        Set<String> marks = new HashSet<>(all);
        marks.addAll(granted(facts, facts.markers().substring(0, facts.markers().indexOf("`.`") + 1) + ".*"));
        marks.addAll(granted(facts, facts.markers()));
        if (!marks.contains("ALL PRIVILEGES") && !marks.containsAll(Set.of("SELECT", "INSERT", "UPDATE"))) {
            lacks.add(Lack.must(
                    facts.user() + " may not write markers",
                    "GRANT SELECT, INSERT, UPDATE ON " + facts.markers() + " TO " + facts.user() + ";"));
        }
    }

    private static void markers(MariaDbFacts facts, List<Writer.Followed> followed, List<Lack> lacks) {
        if (facts.room().isEmpty()) {
            String database = facts.markers().substring(0, facts.markers().indexOf("`.`") + 1);
            lacks.add(Lack.must(
                    "there is no table " + facts.markers() + " for markers that " + facts.user() + " may see",
                    "CREATE DATABASE IF NOT EXISTS " + database + "; CREATE TABLE IF NOT EXISTS "
                            + facts.markers()
                            + " (source VARCHAR(63) PRIMARY KEY, content MEDIUMTEXT NOT NULL) CHARACTER SET utf8mb4;"));
        } else if (facts.room().get() < length(followed)) {
            lacks.add(Lack.must(
                    "column content of " + facts.markers() + " is too narrow for markers of " + followed.size()
                            + " tables",
                    "ALTER TABLE " + facts.markers() + " MODIFY content MEDIUMTEXT NOT NULL;"));
        }
    }

    /** The characters of a marker at most, which has a digest for each table. */
    private static int length(List<Writer.Followed> followed) {
        Columns none = new Columns(new TreeMap<>(), Map.of(), Set.of());
        Map<String, String> digests = new HashMap<>();
        followed.forEach(table -> digests.put(table.source(), none.digest(table.source())));
        byte[] content = new MarkerContent(Instant.EPOCH.plusNanos(1), digests).toBytes();
        return new String(content, StandardCharsets.UTF_8).length();
    }

    /** What is granted on something, as {@code GRANT SELECT, INSERT ON `a`.`b` TO ...} says it. */
    private static Set<String> granted(MariaDbFacts facts, String on) {
        return facts.grants().stream()
                .filter(grant -> grant.startsWith("GRANT ") && grant.contains(" ON " + on + " TO "))
                .flatMap(grant -> Arrays.stream(grant.substring("GRANT ".length(), grant.indexOf(" ON "))
                        .split(", ", -1)))
                .collect(Collectors.toSet());
    }

    private static void table(MariaDbFacts facts, MariaDbFacts.Table table, List<String> primaryKey, List<Lack> lacks) {
        String name = table.name();
        if (!table.kind().equals("BASE TABLE")) {
            lacks.add(Lack.must(name + " is no ordinary table; views and system-versioned tables are not followed"));
        }
        if (!table.readable()) {
            lacks.add(Lack.must(
                    facts.user() + " may not read " + name,
                    "GRANT SELECT ON " + table.quoted() + " TO " + facts.user() + ";"));
        }
        if (facts.unlogged().contains(table.database())) {
            lacks.add(Lack.must("the binary log leaves database " + table.database()
                    + " out, by binlog_do_db or binlog_ignore_db in the server's configuration"));
        }
        if (table.readable()) {
            Lack.absentKey(name, table.columns(), primaryKey).ifPresent(lacks::add);
        }
        table.unreadable()
                .forEach(column -> lacks.add(Lack.must(
                        "column " + column + " of " + name + " has a type with which Debezium cannot read the table",
                        "ALTER TABLE " + table.quoted() + " MODIFY `" + column + "` VARCHAR(64);")));
        table.cascades()
                .forEach(key -> lacks.add(Lack.must(
                        "foreign key " + key + " of " + name
                                + " changes or deletes rows by itself, and the binary log has nothing of that",
                        "ALTER TABLE " + table.quoted() + " DROP FOREIGN KEY `" + key + "`;")));
    }
}
