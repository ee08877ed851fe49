package dev.tidemark.source.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.tidemark.source.jdbc.Rows;

/** The statement that creates a table. It shows to readers what {@code information_schema} shows to owners. */
record TableText(String text) {
    private static final Pattern CASCADE =
            Pattern.compile("CONSTRAINT `([^\n]*?)` FOREIGN KEY [^\n]* ON (DELETE|UPDATE) (CASCADE|SET NULL)");

    private static final Pattern UNREADABLE =
            Pattern.compile("^ *`(.*?)` (inet4|inet6|vector|xmltype)\\b", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private static final String NO_SUCH_TABLE = "42S02";

    static TableText read(Connection connection, TableName table) throws SQLException {
        return Rows.of(connection, "SHOW CREATE TABLE " + table.quoted(), row -> new TableText(row.getString(2)))
                .get(0);
    }

    /** Empty if there is no such table, which leaves the connection as it is. */
    static Optional<TableText> find(Connection connection, TableName table) throws SQLException {
        try {
            return Optional.of(read(connection, table));
        } catch (SQLException e) {
            if (NO_SUCH_TABLE.equals(e.getSQLState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Whether the table has all these columns. */
    boolean hasAll(Collection<String> columns) {
        return columns.stream().allMatch(column -> text.contains("\n  " + TableName.quoted(column) + " "));
    }

    /** A column of JSON is one of text with a check. */
    boolean checksJson(String column) {
        return text.contains("CHECK (json_valid(" + TableName.quoted(column) + "))");
    }

    /** Foreign keys that change or delete rows of the table without a trace in the binary log. */
    List<String> cascades() {
        return names(CASCADE);
    }

    /** Columns of types with which Debezium cannot read the table. */
    List<String> unreadable() {
        return names(UNREADABLE);
    }

    private List<String> names(Pattern pattern) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1).replace("``", "`"))
                .toList();
    }
}
