package dev.tidemark.deploy.bench.postgres;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** The table of customers in PostgreSQL. */
final class PostgresTable {
    private static final String[] COLUMNS = {
        "customerId", "firstName", "lastName", "street", "town", "phone", "active", "change"
    };

    private final PostgresServer server;

    private PostgresTable(PostgresServer server) {
        this.server = server;
    }

    /** Makes it, without rows and without an index but that on its key. */
    static PostgresTable create(PostgresServer server) throws BenchException, InterruptedException {
        server.run("create table customers (\"customerId\" int primary key, \"firstName\" text, \"lastName\" text,"
                + " street text, town text, phone text, active boolean, change bigint)");
        return new PostgresTable(server);
    }

    /** Adds the index that Tidemark's worker keeps in the benchmarks. */
    void index() throws BenchException, InterruptedException {
        server.run("create index by_town_last_name on customers (town, \"lastName\")");
    }

    /** Copies rows into it, and lets all work that comes of it be done. */
    void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
        Process copying = server.copyInto("customers");
        try (BufferedWriter out =
                new BufferedWriter(new OutputStreamWriter(copying.getOutputStream(), StandardCharsets.UTF_8))) {
            for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
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

    /** A row as a line of CSV. */
    static String line(CustomerRow customer) throws BadJsonException {
        JsonNode row = RowJson.parseEnvelope(customer.bytes());
        StringBuilder line = new StringBuilder();
        for (String column : COLUMNS) {
            line.append(line.isEmpty() ? "" : ",").append(row.path(column).asText());
        }
        return line.append('\n').toString();
    }
}
