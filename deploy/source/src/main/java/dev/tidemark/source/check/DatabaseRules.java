package dev.tidemark.source.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.tidemark.source.feed.Writer;

/**
 * Judges what was found in a database.
 *
 * @param slot name of the replication slot
 * @param publication name of the publication
 */
public record DatabaseRules(String slot, String publication) {
    private static final int OLDEST = 140_000;

    /** What the database lacks for these tables. */
    public List<Lack> lacks(DatabaseFacts facts, List<Writer.Followed> followed) {
        List<Lack> lacks = new ArrayList<>();
        server(facts, lacks);
        role(facts, lacks);
        for (Writer.Followed table : followed) {
            Optional<DatabaseFacts.Table> found = facts.tables().stream()
                    .filter(one -> one.name().equals(table.source()))
                    .findFirst();
            if (found.isPresent()) {
                table(facts, found.get(), table.primaryKey(), lacks);
                generated(found.get(), table.primaryKey(), lacks);
            } else {
                lacks.add(Lack.must("there is no table " + table.source() + " in database " + facts.database()));
            }
        }
        publication(facts, followed, lacks);
        return lacks;
    }

    private void server(DatabaseFacts facts, List<Lack> lacks) {
        if (facts.version() < OLDEST) {
            lacks.add(Lack.must(
                    "PostgreSQL " + facts.version() / 10_000 + " is too old: 14 is the first that can put messages into"
                            + " the stream of pgoutput, on which the watermark stands"));
        }
        String level = setting(facts, "wal_level");
        if (!level.equals("logical")) {
            lacks.add(Lack.must(
                    "wal_level is " + level + "; logical is needed, and a restart of the server",
                    "ALTER SYSTEM SET wal_level = 'logical';"));
        }
        boolean taken = facts.slots().containsKey(slot);
        int slots = Integer.parseInt(setting(facts, "max_replication_slots"));
        if (!taken && facts.slots().size() >= slots) {
            lacks.add(Lack.must(
                    "all " + slots + " replication slots are taken; one more is needed, and a restart of the server",
                    "ALTER SYSTEM SET max_replication_slots = " + (slots + 1) + ";"));
        }
        String holder = facts.slots().getOrDefault(slot, "");
        if (!holder.isEmpty()) {
            lacks.add(Lack.must("replication slot " + slot + " is that of " + holder
                    + ", and no other one in the cluster can have its name; slot.name has to be another name"));
        }
        if (setting(facts, "max_slot_wal_keep_size").equals("-1")) {
            lacks.add(Lack.note(
                    "max_slot_wal_keep_size has no limit: while the source is away, the write-ahead log fills the disk",
                    "ALTER SYSTEM SET max_slot_wal_keep_size = '50GB'; SELECT pg_reload_conf();"));
        }
    }

    private static String setting(DatabaseFacts facts, String name) {
        return facts.settings().getOrDefault(name, "0");
    }

    private static void role(DatabaseFacts facts, List<Lack> lacks) {
        if (!facts.mayReplicate()) {
            lacks.add(Lack.must(
                    "role " + facts.user() + " may not use replication slots",
                    "ALTER ROLE " + quoted(facts.user()) + " REPLICATION;"));
        }
    }

    private static void table(
            DatabaseFacts facts, DatabaseFacts.Table table, List<String> primaryKey, List<Lack> lacks) {
        String name = table.name();
        if (!table.kind().equals("r")) {
            lacks.add(Lack.must(
                    name + " is no ordinary table; views, foreign and partitioned tables, and those from which others"
                            + " inherit, are not followed"));
        }
        if (!table.logged()) {
            lacks.add(Lack.must(
                    name + " is not in the write-ahead log", "ALTER TABLE " + table.quoted() + " SET LOGGED;"));
        }
        if (!table.readable()) {
            lacks.add(Lack.must(
                    "role " + facts.user() + " may not read " + name,
                    "GRANT SELECT ON " + table.quoted() + " TO " + quoted(facts.user()) + ";"));
        }
        key(table, primaryKey).ifPresent(lacks::add);
        if (!table.strange().isEmpty()) {
            lacks.add(Lack.note(
                    "these columns of " + name + " have types of extensions that were not tried, and come as text: "
                            + String.join(", ", table.strange())));
        }
    }

    /** A deferrable key is no replica identity either, so what mends it is enough. */
    private static Optional<Lack> key(DatabaseFacts.Table table, List<String> primaryKey) {
        Optional<Lack> absent = Lack.absentKey(table.name(), table.columns(), primaryKey);
        List<String> deferred =
                primaryKey.stream().filter(table.deferred()::containsKey).toList();
        if (absent.isPresent()) {
            return absent;
        }
        if (!deferred.isEmpty()) {
            return Optional.of(Lack.must(
                    "a constraint of " + table.name() + " is deferrable, so that a statement can swap "
                            + String.join(", ", deferred) + " of the primary key in the catalog between rows",
                    deferred.stream()
                            .map(column -> table.deferred().getOrDefault(column, ""))
                            .distinct()
                            .collect(Collectors.joining(" "))));
        }
        if (!table.identityColumns().containsAll(primaryKey)) {
            return Optional.of(Lack.must(
                    "the replica identity of " + table.name() + " does not send " + String.join(", ", primaryKey)
                            + ", the primary key in the catalog, with updates and deletes",
                    "ALTER TABLE " + table.quoted() + " REPLICA IDENTITY FULL;"));
        }
        return Optional.empty();
    }

    private static void generated(DatabaseFacts.Table table, List<String> primaryKey, List<Lack> lacks) {
        String names = String.join(", ", table.generated());
        if (table.generated().stream().anyMatch(primaryKey::contains)) {
            lacks.add(Lack.must("the primary key in the catalog has columns of " + table.name()
                    + " that are generated, which PostgreSQL does not send: " + names));
        } else if (!names.isEmpty()) {
            lacks.add(Lack.note("these columns of " + table.name()
                    + " are generated; PostgreSQL does not send them, so rows are without them: " + names));
        }
    }

    private void publication(DatabaseFacts facts, List<Writer.Followed> followed, List<Lack> lacks) {
        List<DatabaseFacts.Table> there = facts.tables().stream()
                .filter(table -> followed.stream().anyMatch(one -> one.source().equals(table.name())))
                .toList();
        String names = there.stream().map(DatabaseFacts.Table::quoted).collect(Collectors.joining(", "));
        partial(facts, there, lacks);
        boolean owned = there.stream().allMatch(DatabaseFacts.Table::owned);
        boolean exists = facts.publication().exists();
        boolean able = exists ? facts.publication().owned() : facts.mayCreate();
        if (names.isEmpty() || (owned && able)) {
            return;
        }
        if (!exists) {
            lacks.add(Lack.must(
                    "there is no publication " + publication + ", and role " + facts.user() + " may not create it",
                    "CREATE PUBLICATION " + quoted(publication) + " FOR TABLE " + names + ";"));
            return;
        }
        if (!facts.publication().whole()) {
            lacks.add(Lack.must(
                    "publication " + publication + " leaves operations out",
                    "ALTER PUBLICATION " + quoted(publication)
                            + " SET (publish = 'insert, update, delete, truncate');"));
        }
        String missing = there.stream()
                .filter(table -> !facts.publication().tables().contains(table.name()))
                .map(DatabaseFacts.Table::quoted)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            lacks.add(Lack.must(
                    "publication " + publication + " lacks tables of the source",
                    "ALTER PUBLICATION " + quoted(publication) + " ADD TABLE " + missing + ";"));
        }
    }

    /** The source changes no filter that an administrator has set, even where it may. */
    private void partial(DatabaseFacts facts, List<DatabaseFacts.Table> tables, List<Lack> lacks) {
        for (DatabaseFacts.Table table : tables) {
            if (facts.publication().partial().contains(table.name())) {
                String alter = "ALTER PUBLICATION " + quoted(publication);
                lacks.add(Lack.must(
                        "publication " + publication + " leaves rows or columns of " + table.name() + " out",
                        alter + " DROP TABLE " + table.quoted() + "; " + alter + " ADD TABLE " + table.quoted() + ";"));
            }
        }
    }

    private static String quoted(String name) {
        return name.matches("[a-z_][a-z0-9_]*") ? name : "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
