package dev.tidemark.deploy.demo;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.api.BulkResult;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;

/** A client that keeps adding customers, a few with each step. The counters may be read by any thread. */
final class SteadyWrites implements Agent {
    /** No sample customer lives there. */
    static final String TOWN = "Tidewater";

    private static final long FIRST_ID = 1_000_000;
    private static final int BATCH = 20;
    private static final String[] NAMES = {"Smith", "Jones", "Brown", "White", "Green", "Robinson"};

    private final WriterApi writer;
    private final AtomicLong written = new AtomicLong();
    private volatile @Nullable String token;
    private volatile @Nullable String failure;

    SteadyWrites(WriterApi writer) {
        this.writer = writer;
    }

    @Override
    public String roleName() {
        return "demo-client";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (failure != null) {
            return 0;
        }
        byte[] rows = batch(written.get());
        try {
            BulkResult result = writer.load("customers", () -> new ByteArrayInputStream(rows));
            written.addAndGet(result.committed());
            token = result.token();
        } catch (ServiceException e) {
            failure = e.getMessage();
        }
        // Rests between two steps, so that it is a steady load and not a benchmark.
        return 0;
    }

    long written() {
        return written.get();
    }

    /** The token of the last write; null before the first. */
    @Nullable
    String token() {
        return token;
    }

    /** Why it stopped writing; null while it can. */
    @Nullable
    String failure() {
        return failure;
    }

    private static byte[] batch(long first) {
        StringBuilder lines = new StringBuilder();
        for (long i = first; i < first + BATCH; i++) {
            ObjectNode row = RowJson.mapper().createObjectNode();
            row.put("customerId", FIRST_ID + i);
            row.put("lastName", NAMES[(int) (i % NAMES.length)]);
            row.put("firstName", "Number " + i);
            row.put("town", TOWN);
            row.put("phone", String.format("000-555-%04d", i));
            lines.append(row).append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }
}
