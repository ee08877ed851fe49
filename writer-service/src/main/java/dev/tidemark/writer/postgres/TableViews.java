package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 */
final class TableViews implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(TableViews.class);
    private static final int BATCHES = 4;
    private static final int SAMPLE = 64;
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

    TableViews(FactTables tables, OwnConnection connection) {
        this.tables = tables;
        this.connection = connection;
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
            Map<FactTable, FieldTypes> changed = new HashMap<>();
            try {
                for (CommittedChange change : changes) {
                    look(change, changed);
                }
                changed.forEach(this::replace);
            } catch (RuntimeException e) {
                LOGGER.warn("A view of a fact table cannot be made; the next row with a new field tries again", e);
                changed.keySet().forEach(table -> known.remove(table.name()));
            }
        }
        return 0;
    }

    private void look(CommittedChange change, Map<FactTable, FieldTypes> changed) {
        if (change.event() instanceof ChangeEvent.Upserted row) {
            FactTable table = tables.byName(change.table());
            FieldTypes types = known.get(table.name());
            if (types == null) {
                types = connection.call(open -> columns(open, table));
                known.put(table.name(), types);
            }
            // A separate tree, so that the row of the change, which waits to be published, keeps none.
            if (types.add(RowDocument.stored(row.row().bytes()).tree())) {
                changed.put(table, types);
            }
        }
    }

    private void replace(FactTable table, FieldTypes types) {
        connection.call(open -> {
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
            return remember(open, table, types);
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
        try (PreparedStatement statement = open.prepareStatement(COLUMNS)) {
            statement.setInt(1, table.id());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return FieldTypes.of(Rows.json(row.getString(1)));
            }
        }
    }

    private static int remember(Connection open, FactTable table, FieldTypes types) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(REMEMBER)) {
            statement.setString(1, types.json().toString());
            statement.setInt(2, table.id());
            return statement.executeUpdate();
        }
    }
}
