package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** One bulk request that goes on until closed, and is begun again when it breaks. */
public final class EndlessUpload implements AutoCloseable {
    private static final Duration REST = Duration.ofMillis(20);
    private static final int ROWS_AT_ONCE = 5;
    private static final int KEYS = 500;

    private final AgentRunner runner;
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean closed;

    private EndlessUpload(String table, Facts facts) {
        this.runner = AgentRunner.start(new Client(table, facts), REST);
    }

    public static EndlessUpload start(String table, Facts facts) {
        return new EndlessUpload(table, facts);
    }

    /** How many rows were handed to the connection. */
    public long rowsSent() {
        return sent.get();
    }

    @Override
    public void close() {
        closed = true;
        runner.close();
    }

    /** Sends one request after the other. */
    private final class Client implements Agent {
        private final String table;
        private final Facts facts;

        Client(String table, Facts facts) {
            this.table = table;
            this.facts = facts;
        }

        @Override
        public String roleName() {
            return "endless-upload";
        }

        @Override
        public int doWork() throws InterruptedException {
            try {
                facts.load(table, Rows::new);
                return 1;
            } catch (IOException e) {
                // Broken off by the end of the service, as intended.
                return 0;
            }
        }
    }

    /** Rows in small portions with a rest after each. Read by one thread. */
    private final class Rows extends InputStream {
        private byte[] portion = new byte[0];
        private int position;
        private int row;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (position == portion.length && !next()) {
                return -1;
            }
            int count = Math.min(length, portion.length - position);
            System.arraycopy(portion, position, buffer, offset, count);
            position += count;
            return count;
        }

        private boolean next() throws IOException {
            try {
                BoundedWait.rest(REST);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < ROWS_AT_ONCE; i++) {
                lines.append(RowJson.mapper()
                                .createObjectNode()
                                .put("personId", "endless-" + row % KEYS)
                                .put("town", "T" + row % 7)
                                .put("round", row++))
                        .append('\n');
            }
            sent.addAndGet(ROWS_AT_ONCE);
            portion = lines.toString().getBytes(StandardCharsets.UTF_8);
            position = 0;
            return !closed;
        }
    }
}
