package dev.tidemark.deploy.e2e.guarantee;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import dev.tidemark.deploy.drill.ExpectedState;
import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline;
import dev.tidemark.deploy.oracle.RowTimeline.Write;

/**
 * Every row is what its client was told last; a write whose answer was lost is wholly there or wholly absent; versions
 * of a row only grow. Clients tell what they asked and heard; no two of them write the same row. The judge is that of
 * the drill.
 */
public final class NoAcknowledgedWriteLost {
    private static final int SHOWN = 20;
    private static final String TABLE = "row";

    private final ExpectedState rows = new ExpectedState();
    private final List<List<Write>> atomicUnknown = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    public NoAcknowledgedWriteLost() {
        // The writer commits a row again behind a late record of a process that was killed.
        rows.mayBeRecommitted(Instant.MIN);
    }

    /** A write of one row was answered. */
    public void answered(Write write, Answer answer) {
        if (answer.ok()) {
            Optional<Boolean> created =
                    write.kind() == Write.Kind.PUT ? Optional.of(answer.status() == 201) : Optional.of(false);
            acknowledged(write, answer.json().path("version").asText(), created);
        } else if (answer.status() == 404 && write.kind() != Write.Kind.PUT) {
            absent(write);
        } else if (answer.status() == 429) {
            refused.incrementAndGet();
        } else {
            unknown(write);
        }
    }

    /** A bulk request of distinct rows was answered with success, some of its lines perhaps rejected. */
    public void bulkAnswered(List<Write> writes, Answer answer) {
        Map<Integer, String> rejected = new ConcurrentHashMap<>();
        answer.json()
                .path("rejected")
                .forEach(one -> rejected.put(
                        one.path("line").asInt(), one.path("detail").asText()));
        for (int i = 0; i < writes.size(); i++) {
            Write write = writes.get(i);
            if (!rejected.containsKey(i + 1)) {
                acknowledged(write, "", Optional.empty());
            } else if (write.kind() == Write.Kind.DELETE) {
                absent(write);
            } else {
                throw new AssertionError("expected " + write + " to be taken, but it was rejected in " + answer);
            }
        }
    }

    /** Nothing was sent, or it was refused as a whole. */
    public void notDone() {
        refused.incrementAndGet();
    }

    /** No answer came. */
    public void unknown(Write write) {
        unknown.incrementAndGet();
        invoked(write);
    }

    /** No answer came to an all-or-nothing request, whose rows nobody wrote before or will write after. */
    public void atomicUnknown(List<Write> inserts) {
        inserts.forEach(this::unknown);
        synchronized (atomicUnknown) {
            atomicUnknown.add(List.copyOf(inserts));
        }
    }

    /** How many writes had which outcome. */
    public String summary() {
        return acknowledged + " acknowledged, " + refused + " refused or not sent, " + unknown + " unknown, "
                + rows.all(TABLE).size() + " rows";
    }

    /** How many writes were acknowledged. */
    public long acknowledgedCount() {
        return acknowledged.get();
    }

    /** Compares with all the rows of the table, after all the clients have stopped. */
    public void check(List<Fact> facts) {
        Set<String> keys = facts.stream().map(fact -> fact.key().asText()).collect(Collectors.toSet());
        List<String> complaints = new ArrayList<>(rows.complaintsAbout(TABLE, facts));
        for (List<Write> inserts : atomicUnknown) {
            long there =
                    inserts.stream().filter(write -> keys.contains(write.key())).count();
            if (there != 0 && there != inserts.size()) {
                complaints.add("of an all-or-nothing load, " + there + " rows are there: " + inserts);
            }
        }
        if (!complaints.isEmpty()) {
            throw new AssertionError(complaints.size() + " rows are not what their client was told (" + summary()
                    + "):\n  "
                    + complaints.stream().limit(SHOWN).collect(Collectors.joining("\n  ")));
        }
    }

    private void acknowledged(Write write, String version, Optional<Boolean> created) {
        acknowledged.incrementAndGet();
        timeline(write).acknowledged(invoked(write), Instant.EPOCH, version, created);
    }

    private void absent(Write write) {
        timeline(write).absent(invoked(write), Instant.EPOCH);
    }

    /** What is compared in the end depends on the order of writes, and not on times. */
    private int invoked(Write write) {
        return timeline(write).invoked(write, Instant.EPOCH);
    }

    private RowTimeline timeline(Write write) {
        return rows.of(TABLE, new ExpectedState.RowKey(List.of(write.key())));
    }
}
