package dev.tidemark.writer.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** A connection to an {@link InMemoryPostgres}, with as much of JDBC as {@link CommitSession} uses. */
final class FakeConnection {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final Server server;
    private boolean open = true;

    /** Carries out statements. */
    @FunctionalInterface
    interface Server {
        /** The rows that a statement returns; one for each row that it changes where it returns none. */
        List<List<Object>> run(FakeConnection connection, String sql, List<Object> parameters) throws SQLException;
    }

    FakeConnection(Server server) {
        this.server = server;
    }

    /** The fake behind a connection. */
    static FakeConnection of(Connection connection) throws SQLException {
        return connection.unwrap(FakeConnection.class);
    }

    /** The number of the process of the server. */
    long number() {
        return number;
    }

    boolean isOpen() {
        return open;
    }

    void close() {
        open = false;
    }

    /** What a client sees whose connection is gone. */
    static SQLException lost(String why) {
        return new PSQLException(why, PSQLState.CONNECTION_FAILURE);
    }

    Connection jdbc() {
        return proxy(Connection.class, (self, method, given) -> switch (method.getName()) {
            case "prepareStatement" -> statement((String) given[0]);
            case "createStatement" -> statement("");
            case "unwrap" -> this;
            case "isClosed" -> !open;
            case "close" -> {
                close();
                yield null;
            }
            default -> throw new AssertionError(method);
        });
    }

    private PreparedStatement statement(String prepared) {
        List<Object> parameters = new ArrayList<>();
        return proxy(PreparedStatement.class, (self, method, given) -> switch (method.getName()) {
            // They are set in their order.
            case "setObject" -> parameters.add(given[1]) ? null : this;
            case "executeQuery" -> result(server.run(this, given == null ? prepared : (String) given[0], parameters));
            case "executeUpdate" -> server.run(this, prepared, parameters).size();
            case "close" -> null;
            default -> throw new AssertionError(method);
        });
    }

    private static ResultSet result(List<List<Object>> rows) {
        Iterator<List<Object>> rest = rows.iterator();
        List<Object> row = new ArrayList<>();
        return proxy(ResultSet.class, (self, method, given) -> switch (method.getName()) {
            case "next" -> {
                row.clear();
                boolean more = rest.hasNext();
                row.addAll(more ? rest.next() : List.of());
                yield more;
            }
            case "getString", "getLong", "getInt", "getBoolean" -> row.get((Integer) given[0] - 1);
            case "close" -> null;
            default -> throw new AssertionError(method);
        });
    }

    /** What a call of a proxy returns; null where it returns nothing. */
    @FunctionalInterface
    private interface Answer {
        @Nullable
        Object to(Object self, Method method, Object[] given) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        InvocationHandler handler = answer::to;
        return type.cast(Proxy.newProxyInstance(FakeConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
