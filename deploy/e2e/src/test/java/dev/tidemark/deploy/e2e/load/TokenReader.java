package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.e2e.guarantee.NoAcknowledgedWriteLost;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.oracle.RowTimeline.Write;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;

/**
 * A client that moves rows and asks for each at once, with the token of its write: the answer has the write in it, or
 * there is none. Whatever is killed meanwhile.
 */
public final class TokenReader implements AutoCloseable {
    private static final Duration PACE = Duration.ofMillis(30);
    private static final int KEYS = 5;

    private final List<String> complaints = Collections.synchronizedList(new ArrayList<>());
    private final AgentRunner runner;
    private final AtomicInteger seen = new AtomicInteger();

    private TokenReader(String table, Facts facts, Indexes indexes, NoAcknowledgedWriteLost history) {
        this.runner = AgentRunner.start(new Client(table, facts, indexes, history), PACE);
    }

    /** Starts one whose writes the history knows too. */
    public static TokenReader start(String table, Facts facts, Indexes indexes, NoAcknowledgedWriteLost history) {
        return new TokenReader(table, facts, indexes, history);
    }

    /** Answers that lacked the write whose token they were asked with. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** How many answers had it. */
    public int seenCount() {
        return seen.get();
    }

    /** Ends after the question under way. */
    public void stop() {
        close();
        runner.failure().ifPresent(failure -> {
            throw new AssertionError("the reader failed", failure);
        });
    }

    @Override
    public void close() {
        runner.close(Duration.ofSeconds(70));
    }

    private final class Client implements Agent {
        private final String table;
        private final Facts facts;
        private final Indexes indexes;
        private final NoAcknowledgedWriteLost history;
        private int round;

        Client(String table, Facts facts, Indexes indexes, NoAcknowledgedWriteLost history) {
            this.table = table;
            this.facts = facts;
            this.indexes = indexes;
            this.history = history;
        }

        @Override
        public String roleName() {
            return "token-reader";
        }

        @Override
        public int doWork() throws InterruptedException {
            String key = "reader-" + ++round % KEYS;
            String town = "Round " + round;
            ObjectNode row =
                    RowJson.mapper().createObjectNode().put("personId", key).put("town", town);
            Write write = Write.put(key, row);
            try {
                Answer answer = facts.put(table, key, row);
                history.answered(write, answer);
                if (answer.ok()) {
                    look(key, town, answer.json());
                }
            } catch (ConnectException e) {
                history.notDone();
            } catch (IOException e) {
                history.unknown(write);
            }
            return 0;
        }

        private void look(String key, String town, JsonNode written) throws InterruptedException {
            try {
                String token = written.path("token").asText();
                Answer answer = indexes.query(table + ".by_town", "town", town, "token", token, "wait", "2s");
                if (answer.ok()) {
                    judge(key, answer, written.path("version").asText());
                } else if (answer.status() != 503) {
                    complaints.add("expected an answer or 503, but got " + answer);
                }
            } catch (IOException e) {
                // The worker was killed: no answer is no lie.
                return;
            }
        }

        private void judge(String key, Answer answer, String version) {
            JsonNode entries = answer.json().path("entries");
            boolean there = entries.size() == 1
                    && entries.path(0).path("primaryKey").asText().equals(key)
                    && entries.path(0).path("version").asText().equals(version);
            if (there) {
                seen.incrementAndGet();
            } else {
                complaints.add("expected version " + version + " of " + key + " in " + answer);
            }
        }
    }
}
