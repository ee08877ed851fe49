package dev.tidemark.deploy.bench.postgres;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Customer;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.build.IndexShape;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** {@code CREATE INDEX CONCURRENTLY}, which lets writes go on as well. */
public final class PostgresIndexBuilder implements IndexBuilder {
    private static final String[] COLUMNS = {
        "customerId", "firstName", "lastName", "street", "town", "phone", "active", "change"
    };

    private final PostgresServer server;
    private final Clock clock;

    private PostgresIndexBuilder(PostgresServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    /** One with a server of its own; empty where PostgreSQL is not installed. */
    public static Optional<PostgresIndexBuilder> start(Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(new PostgresIndexBuilder(PostgresServer.start(tools.get(), parent, clock), clock));
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public void load(Stream<Customer> rows) throws BenchException, InterruptedException {
        server.run("create table customers (\"customerId\" int primary key, \"firstName\" text, \"lastName\" text,"
                + " street text, town text, phone text, active boolean, change bigint)");
        Process copying = server.copyInto("customers");
        try (BufferedWriter out =
                new BufferedWriter(new OutputStreamWriter(copying.getOutputStream(), StandardCharsets.UTF_8))) {
            for (Iterator<Customer> each = rows.iterator(); each.hasNext(); ) {
                out.write(line(each.next()));
            }
        } catch (IOException | BadJsonException e) {
            throw new BenchException("PostgreSQL does not take the rows: " + e.getMessage(), e);
        }
        if (copying.waitFor() != 0) {
            throw new BenchException("PostgreSQL did not take the rows");
        }
        // As after a night: no other work waits.
        server.run("vacuum analyze customers", "checkpoint");
    }

    @Override
    public Duration build(IndexShape shape) throws BenchException, InterruptedException {
        Instant begin = clock.instant();
        server.run("create index concurrently by_last_name_town on customers (\"lastName\", town)");
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws BenchException, InterruptedException {
        server.run("drop index by_last_name_town", "checkpoint");
    }

    @Override
    public void close() {
        server.close();
    }

    private static String line(Customer customer) throws BadJsonException {
        JsonNode row = RowJson.parseEnvelope(customer.bytes());
        StringBuilder line = new StringBuilder();
        for (String column : COLUMNS) {
            line.append(line.isEmpty() ? "" : ",").append(row.path(column).asText());
        }
        return line.append('\n').toString();
    }
}
