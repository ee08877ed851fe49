package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.SteadyClock;

/**
 * So many changes a second of a fixed set of rows, in small bulk loads, until closed: mostly rows that are put anew,
 * now and then one that is deleted and comes back later. A writer that is slow for a moment is not spared what was due
 * meanwhile.
 */
public final class PacedLoad implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(5);
    private static final int MOST_AT_ONCE = 500;
    private static final int DELETES_ONE_IN = 12;

    private final AgentRunner runner;
    private final AtomicLong sent = new AtomicLong();

    private PacedLoad(String table, Facts facts, Rows rows, int perSecond, long seed) {
        this.runner = AgentRunner.start(new Client(table, facts, rows, perSecond, seed), PACE);
    }

    /**
     * The rows to change.
     *
     * @param count how many there are
     * @param make another version of one
     * @param keyField the field that is its primary key
     */
    public record Rows(int count, IntFunction<ObjectNode> make, String keyField) {}

    public static PacedLoad start(String table, Facts facts, Rows rows, int perSecond, long seed) {
        return new PacedLoad(table, facts, rows, perSecond, seed);
    }

    /** Changes that the writer has taken. */
    public long sent() {
        return sent.get();
    }

    /** Ends after the request under way. */
    public void stop() {
        close();
        runner.failure().ifPresent(failure -> {
            throw new AssertionError("the load failed", failure);
        });
    }

    @Override
    public void close() {
        runner.close(Duration.ofSeconds(70));
    }

    private final class Client implements Agent {
        private final String table;
        private final Facts facts;
        private final Rows rows;
        private final int perSecond;
        private final Random random;
        private final Clock clock = new SteadyClock();
        private final Instant start = clock.instant();

        Client(String table, Facts facts, Rows rows, int perSecond, long seed) {
            this.table = table;
            this.facts = facts;
            this.rows = rows;
            this.perSecond = perSecond;
            this.random = new Random(seed);
        }

        @Override
        public String roleName() {
            return "paced-load";
        }

        @Override
        public int doWork() throws InterruptedException {
            long elapsed = Duration.between(start, clock.instant()).toMillis();
            long due = elapsed * perSecond / 1_000 - sent.get();
            List<ObjectNode> lines = new ArrayList<>();
            for (int i = 0; i < Math.min(due, MOST_AT_ONCE); i++) {
                lines.add(line());
            }
            if (lines.isEmpty()) {
                return 0;
            }
            try {
                facts.load(table, lines, "").requireOk();
            } catch (IOException e) {
                throw new AssertionError("the writer should be there all the time", e);
            }
            sent.addAndGet(lines.size());
            return 0;
        }

        private ObjectNode line() {
            ObjectNode row = rows.make().apply(random.nextInt(rows.count()));
            return random.nextInt(DELETES_ONE_IN) > 0
                    ? row
                    : RowJson.mapper().createObjectNode().set("$delete", row.get(rows.keyField()));
        }
    }
}
