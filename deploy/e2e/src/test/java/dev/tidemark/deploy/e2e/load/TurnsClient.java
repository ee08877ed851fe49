package dev.tidemark.deploy.e2e.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Caller;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.runtime.BoundedWait;

/**
 * Inserts rows through several writers in turn, each row once. A row is sent again only where it was certainly not
 * taken. So one that exists already when it is inserted was done twice.
 */
public final class TurnsClient {
    private static final Duration REST = Duration.ofMillis(10);

    private final List<Caller> writers;
    private final String table;
    private final String name;
    private final Clock clock;
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Instant> times = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> unknown = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "turns-client");
    private volatile boolean closing;

    /** Begins to insert; all keys begin with the name. */
    public TurnsClient(List<URI> writers, String table, String name, Clock clock) {
        this.writers = writers.stream().map(Caller::new).toList();
        this.table = table;
        this.name = name;
        this.clock = clock;
        thread.start();
    }

    /** The acknowledged rows: the number in each. */
    public Map<String, Integer> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** Answers that no write should have. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Rows of which no answer says whether they were taken. */
    public List<String> unknown() {
        return List.copyOf(unknown);
    }

    /** The longest time between two acknowledged rows, from the given moment on. */
    public Duration longestGap(Instant from) {
        Duration longest = Duration.ZERO;
        Instant before = from;
        for (Instant time : new ArrayList<>(times)) {
            if (time.isAfter(before)) {
                Duration gap = Duration.between(before, time);
                longest = gap.compareTo(longest) > 0 ? gap : longest;
                before = time;
            }
        }
        return longest;
    }

    /** Whether a row was acknowledged that was sent after that moment. */
    public boolean hasWrittenSince(Instant moment) {
        return times.stream().anyMatch(time -> time.isAfter(moment));
    }

    private void run() {
        try {
            for (int row = 0; !closing; row++) {
                insert(row);
                BoundedWait.rest(REST);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void insert(int number) throws InterruptedException {
        String key = name + number;
        String row = "{\"personId\":\"" + key + "\",\"name\":\"" + key
                + "\",\"town\":\"Ghent\",\"tags\":[\"a\"],\"score\":" + number + "}";
        for (int turn = number; !closing; turn++) {
            try {
                Answer answer = writers.get(turn % writers.size())
                        .send(
                                "PUT",
                                Facts.pathOf(table, key),
                                row,
                                Map.of("Content-Type", "application/json", "If-None-Match", "*"));
                if (answer.ok()) {
                    acknowledged.put(key, number);
                    times.add(clock.instant());
                    return;
                }
                if (answer.body().contains("tidemark:outcome-unknown")) {
                    unknown.add(key);
                    return;
                }
                if (answer.status() != 503 || !answer.body().contains("tidemark:writes-unavailable")) {
                    wrong.add(answer.toString());
                    return;
                }
            } catch (ConnectException e) {
                // Nothing was sent.
            } catch (IOException e) {
                unknown.add(key);
                return;
            }
            BoundedWait.rest(REST);
        }
    }

    /** Inserts no more; returns when the last row is done. */
    public void end() throws InterruptedException {
        closing = true;
        thread.join();
    }
}
