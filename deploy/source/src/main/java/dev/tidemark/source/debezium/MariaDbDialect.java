package dev.tidemark.source.debezium;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.BinaryLog;
import dev.tidemark.source.feed.Engine;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.SourceEvent.Place;

/**
 * MariaDB. The base of an event is where its transaction begins in the binary log, with the number of the file in the
 * upper half. The connector learns the columns when a run begins, and follows statements that change them.
 */
public final class MariaDbDialect implements Dialect {
    private static final int FILE_SHIFT = 32;

    /** The client of the binary log has another way to log; why it fails is reported once, in a sentence. */
    private static final Logger CLIENT = Logger.getLogger("com.github.shyiko.mysql.binlog");

    static {
        CLIENT.setLevel(Level.OFF);
    }

    /** Statements after which rows are as the changes say, unless {@link #RELOADING} says otherwise. */
    private static final Pattern HARMLESS = Pattern.compile(
            "(ALTER\\s+(ONLINE\\s+)?TABLE|CREATE\\s+(\\w+\\s+)*INDEX|DROP\\s+INDEX)\\b.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /**
     * Rows come or go without a change, or get values, or text becomes JSON, or a column may have another's name. A
     * column that is dropped may be replaced by one of its name, type and place. A column that is modified, or becomes
     * part of the primary key, may get values where it was null.
     */
    private static final Pattern RELOADING = Pattern.compile(
            "\\bPARTITION|\\b(CHANGE|MODIFY|PRIMARY|TABLESPACE|JSON_VALID)\\b|\\bRENAME\\b(?!\\s+(INDEX|KEY)\\b)"
                    + "|\\bDROP\\b(?!\\s+(INDEX|KEY|FOREIGN|CONSTRAINT)\\b)|\\bDEFAULT\\b(?!\\s+NULL)",
            Pattern.CASE_INSENSITIVE);

    private final String name;
    private final String markers;
    private final Map<String, String> user;
    private final BinaryLog log;
    private volatile Set<String> tables = Set.of();
    private volatile OpenTransaction open;

    /**
     * A dialect.
     *
     * @param name of the source
     * @param markers name of the table of markers, with its database
     * @param user settings of the connector, by Debezium's names
     * @param log of the same database
     */
    public MariaDbDialect(String name, String markers, Map<String, String> user, BinaryLog log) {
        this.name = name;
        this.markers = markers;
        this.user = Map.copyOf(user);
        this.log = log;
        this.open = new OpenTransaction(log);
    }

    @Override
    public Properties forRun(Engine.Plan plan) {
        tables = Set.copyOf(plan.tables());
        open = new OpenTransaction(log);
        List<String> captured = new ArrayList<>(plan.tables());
        captured.add(markers);
        boolean whole = plan.snapshot() instanceof Engine.Snapshot.Whole;
        Properties settings = EngineSettings.common(name, user);
        // Two processes that feed one source have one number: the server ends the stream of the former.
        settings.putIfAbsent("database.server.id", Integer.toString((1 << 30) + (name.hashCode() >>> 2)));
        // After this time without a sign of life the stream is opened again.
        settings.putIfAbsent("connect.keep.alive.interval.ms", "5000");
        settings.put("table.include.list", EngineSettings.list(captured));
        settings.put("include.schema.changes", "true");
        // Says where transactions begin and are committed. The engine's own buffer loses the rest of large ones.
        settings.put("provide.transaction.metadata", "true");
        settings.put("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
        settings.put("schema.history.internal.store.only.captured.tables.ddl", "true");
        settings.put("snapshot.mode", whole ? "initial" : "recovery");
        settings.put("snapshot.locking.mode", whole ? "minimal" : "none");
        settings.put("decimal.handling.mode", "precise");
        settings.put("bigint.unsigned.handling.mode", "precise");
        settings.put("binary.handling.mode", "bytes");
        settings.put("driver.yearIsDateType", "false");
        settings.put("time.precision.mode", "adaptive_time_microseconds");
        settings.put(EngineSettings.PREFIX + ".type", MariaDbConverter.class.getName());
        settings.put(
                EngineSettings.PREFIX + "." + MariaDbConverter.JSON_COLUMNS,
                plan.columns().columns().entrySet().stream()
                        .filter(column -> column.getValue().type().equals("json"))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.joining("\n")));
        if (!whole) {
            settings.put(PositionStore.OFFSET, plan.from().offset());
        }
        return settings;
    }

    @Override
    public String table(Struct source) {
        return source.getString("db") + "." + source.getString("table");
    }

    @Override
    public Place place(SourceRecord record, Struct source) {
        Map<String, ?> offset = record.sourceOffset();
        String file = String.valueOf(offset.get("file"));
        long begin = Long.parseLong(String.valueOf(offset.get("pos")));
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("file", file).put("pos", begin).put("gtids", latest(String.valueOf(offset.get("gtids"))));
        return new Place(
                Optional.of(packed(file, begin)),
                packed(source.getString("file"), source.getInt64("pos")),
                json.toString());
    }

    private static long packed(String file, long position) {
        return Long.parseLong(file.substring(file.lastIndexOf('.') + 1)) << FILE_SHIFT | position;
    }

    /** The last GTID of each domain. The connector adds one for each server, which the server refuses to begin at. */
    static String latest(String gtids) {
        Map<String, String> byDomain = new TreeMap<>();
        for (String gtid : gtids.split(",", -1)) {
            byDomain.merge(
                    gtid.substring(0, gtid.indexOf('-')),
                    gtid,
                    (one, other) -> sequence(one) > sequence(other) ? one : other);
        }
        return String.join(",", byDomain.values());
    }

    private static long sequence(String gtid) {
        return Long.parseLong(gtid.substring(gtid.lastIndexOf('-') + 1));
    }

    @Override
    public Optional<SourceEvent> special(Struct value, Optional<Place> place) {
        if (value.schema().field("ddl") != null) {
            return place.map(there -> altered(value, place));
        }
        return table(value.getStruct("source")).equals(markers) ? Optional.of(marker(value, place)) : Optional.empty();
    }

    @Override
    public List<SourceEvent> settled(Struct value, Optional<SourceEvent> event) {
        if (value.schema().field("status") != null) {
            return "END".equals(value.getString("status")) ? open.committed() : open.left();
        }
        if (event.isEmpty() || event.get().place().isEmpty()) {
            return event.stream().toList();
        }
        if (isRow(value)) {
            return open.add(event.get(), value.getStruct("source"));
        }
        return Stream.concat(open.left().stream(), event.stream()).toList();
    }

    /** Statements that alter or truncate a table are no part of a transaction. */
    private static boolean isRow(Struct value) {
        return value.schema().field("op") != null && !"t".equals(value.getString("op"));
    }

    private SourceEvent marker(Struct value, Optional<Place> place) {
        Struct after = value.getStruct("after");
        return place.isPresent() && after != null && name.equals(after.getString("source"))
                ? new SourceEvent.Marker(place, after.getString("content"))
                : new SourceEvent.Other(place);
    }

    private SourceEvent altered(Struct value, Optional<Place> place) {
        String ddl = String.valueOf(value.getString("ddl")).strip();
        Set<String> touched = new HashSet<>();
        for (Object change : value.getArray("tableChanges")) {
            touched.add(((Struct) change).getString("id").replace("\"", ""));
        }
        touched.retainAll(tables);
        boolean dropped = touched.isEmpty() && ddl.toUpperCase(Locale.ROOT).startsWith("DROP DATABASE");
        if (touched.isEmpty() && !dropped) {
            return new SourceEvent.Other(place);
        }
        return new SourceEvent.Alteration(
                place,
                isHarmless(ddl)
                        ? Optional.empty()
                        : Optional.of("columns were changed, or rows without a change of each, by: " + ddl));
    }

    /** Whether changes alone still lead to the rows after a statement that alters a table. */
    static boolean isHarmless(String ddl) {
        return HARMLESS.matcher(ddl).matches() && !RELOADING.matcher(ddl).find();
    }
}
