package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.row.RowDocument;
import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.commit.CommittedChange;

/**
 * Keeps a view of each table that shows the fields of its rows as columns, for readers with SQL. It looks at some of
 * the rows that are committed, on a separate thread. When it cannot keep up it leaves rows out, and a field appears
 * with a later row.
 *
 * <p>To replace a view needs a lock that waits for each transaction that has read the view, and makes later readers
 * wait. So it is given up soon, and tried again much later.
 */
final class TableViews implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(TableViews.class);
    private static final int BATCHES = 4;
    private static final int SAMPLE = 64;
    private static final Duration TRY_AGAIN = Duration.ofMinutes(1);
    private static final String GIVE_UP_SOON = "SET lock_timeout = '200ms'";
    private static final String CANNOT_REPLACE = "42P16";
    private static final String COLUMNS = "SELECT columns FROM tidemark.tables WHERE id = ?";
    private static final String REMEMBER = "UPDATE tidemark.tables SET columns = ?::json WHERE id = ?";

    /** A number that the type numeric holds; a row may have one with a larger exponent. */
    private static final String NUMBER = "'^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?$'";

    /** Text of PostgreSQL has no NUL, and no field of a row that holds one could be read: it is shown as U+FFFD. */
    private static final String ROW = "CASE WHEN strpos(f.row::text, '\\u0000') = 0 THEN f.row"
            + " ELSE replace(f.row::text, '\\u0000', '\\ufffd')::json END";

    private final FactTables tables;
    private final OwnConnection connection;
    private final BlockingQueue<List<CommittedChange>> seen = new ArrayBlockingQueue<>(BATCHES);
    private final Map<String, FieldTypes> known = new HashMap<>();
    private final Clock clock;

    /** Tables whose views lack a field, and when the next try is. */
    private final Map<FactTable, Instant> outdated = new HashMap<>();

    /**
     * Views that are not known yet.
     *
     * @param connection for the views alone: their statements may wait
     */
    TableViews(FactTables tables, OwnConnection connection, Clock clock) {
        this.tables = tables;
        this.connection = connection;
        this.clock = clock;
    }

    /** Takes note of changes that were committed. Never waits. */
    void offer(List<CommittedChange> changes) {
        if (seen.remainingCapacity() == 0) {
            return;
        }
        int step = Math.max(1, changes.size() / SAMPLE);
        List<CommittedChange> sample = new ArrayList<>(SAMPLE);
        for (int i = changes.size() - 1; i >= 0; i -= step) {
            sample.add(changes.get(i));
        }
        boolean unused = seen.offer(sample);
    }

    @Override
    public String roleName() {
        return "fact-views";
    }

    /** Looks at everything that was offered; always 0, so that the thread rests. */
    @Override
    public int doWork() {
        for (List<CommittedChange> changes = seen.poll(); changes != null; changes = seen.poll()) {
            try {
                changes.forEach(this::look);
            } catch (RuntimeException e) {
                LOGGER.warn("The fields of a view of a fact table cannot be read; a later row tries again", e);
            }
        }
        Instant now = clock.instant();
        Map.copyOf(outdated).forEach((table, due) -> {
            if (!now.isBefore(due)) {
                renew(table, now);
            }
        });
        return 0;
    }

    private void renew(FactTable table, Instant now) {
        try {
            replace(table, Objects.requireNonNull(known.get(table.name())));
            outdated.remove(table);
        } catch (RuntimeException e) {
            LOGGER.warn("View {} cannot be made now; the next try is in {} s", table.view(), TRY_AGAIN.toSeconds(), e);
            outdated.put(table, now.plus(TRY_AGAIN));
        }
    }

    private void look(CommittedChange change) {
        if (change.event() instanceof ChangeEvent.Upserted row) {
            FactTable table = tables.byName(change.table());
            FieldTypes types = known.get(table.name());
            if (types == null) {
                types = shortly(open -> columns(open, table));
                known.put(table.name(), types);
            }
            // A separate tree, so that the row of the change, which waits to be published, keeps none.
            if (types.add(RowDocument.stored(row.row().bytes()).tree())) {
                outdated.putIfAbsent(table, Instant.MIN);
            }
        }
    }

    private <T> T shortly(OwnConnection.Work<T> work) {
        return connection.call(open -> {
            try (Statement statement = open.createStatement()) {
                statement.execute(GIVE_UP_SOON);
            }
            return work.on(open);
        });
    }

    private void replace(FactTable table, FieldTypes types) {
        shortly(open -> {
            try (Statement statement = open.createStatement()) {
                String view = " VIEW " + table.view();
                String sql = sql(table, types);
                try {
                    statement.execute("CREATE OR REPLACE" + view + sql);
                } catch (SQLException e) {
                    if (!CANNOT_REPLACE.equals(e.getSQLState())) {
                        throw e;
                    }
                    // A column has another type. Both in one transaction.
                    statement.execute("DROP" + view + "; CREATE" + view + sql);
                }
            }
            return Statements.update(open, REMEMBER, types.json().toString(), table.id());
        });
    }

    /** The rest of the statement that makes a view. */
    static String sql(FactTable table, FieldTypes types) {
        StringJoiner shown = new StringJoiner(", ");
        StringJoiner fields = new StringJoiner(", ", "(", ")");
        types.types().forEach((name, type) -> {
            String quoted = '"' + name.replace("\"", "\"\"") + '"';
            shown.add(shown("x." + quoted, type) + " AS " + quoted);
            fields.add(quoted + (type.equals(FieldTypes.JSON) ? " json" : " text"));
        });
        String own = " AS SELECT f.pk AS _pk, f.epoch AS _epoch, f.sequence AS _sequence,"
                + " f.committed_at AS _committed_at, f.row AS _row";
        String from = " FROM " + table.relation() + " AS f";
        return types.types().isEmpty()
                ? own + from
                : own + ", " + shown + from + " CROSS JOIN LATERAL json_to_record(" + ROW + ") AS x " + fields;
    }

    /** A value of another type than the column has shows as NULL until the column has the type json. */
    private static String shown(String field, String type) {
        return switch (type) {
            case FieldTypes.NUMERIC -> "CASE WHEN " + field + " ~ " + NUMBER + " THEN " + field + "::numeric END";
            case FieldTypes.BOOLEAN -> "CASE " + field + " WHEN 'true' THEN true WHEN 'false' THEN false END";
            default -> field;
        };
    }

    private static FieldTypes columns(Connection open, FactTable table) throws SQLException {
        return FieldTypes.of(Rows.json(Statements.one(open, COLUMNS, row -> row.getString(1), table.id())));
    }
}
