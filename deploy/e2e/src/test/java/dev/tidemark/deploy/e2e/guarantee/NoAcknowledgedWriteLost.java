package dev.tidemark.deploy.e2e.guarantee;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline.Write;

/**
 * Every row is what its client was told last; a write whose answer was lost is wholly there or wholly absent; versions
 * of a row only grow. Clients tell what they asked and heard; no two of them write the same row.
 */
public final class NoAcknowledgedWriteLost {
    private static final int SHOWN = 20;

    private final Map<String, RowHistory> rows = new ConcurrentHashMap<>();
    private final List<List<Write>> atomicUnknown = new ArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    /** A write of one row was answered. */
    public void answered(Write write, Answer answer) {
        RowHistory row = row(write);
        if (answer.ok()) {
            acknowledged.incrementAndGet();
            Optional<Boolean> created =
                    write.kind() == Write.Kind.PUT ? Optional.of(answer.status() == 201) : Optional.of(false);
            row.acknowledged(write, answer.json().path("version").asText(), created);
        } else if (answer.status() == 404 && write.kind() != Write.Kind.PUT) {
            row.found(false, "the 404 to " + write.kind());
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
                acknowledged.incrementAndGet();
                row(write).acknowledged(write, "", Optional.empty());
            } else if (write.kind() == Write.Kind.DELETE) {
                row(write).found(false, "the rejected line");
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
        row(write).unknown(write);
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
                + rows.size() + " rows";
    }

    /** How many writes were acknowledged. */
    public long acknowledgedCount() {
        return acknowledged.get();
    }

    /** Compares with all the rows of the table, after all the clients have stopped. */
    public void check(List<Fact> facts) {
        Map<String, Fact> byKey =
                facts.stream().collect(Collectors.toMap(fact -> fact.key().asText(), fact -> fact));
        List<String> complaints = new ArrayList<>();
        rows.forEach((key, row) -> complaints.addAll(row.complaintsAbout(byKey.get(key))));
        byKey.keySet().stream()
                .filter(key -> !rows.containsKey(key))
                .forEach(key -> complaints.add(key + ": is there, but nobody wrote it"));
        for (List<Write> inserts : atomicUnknown) {
            long there = inserts.stream()
                    .filter(write -> byKey.containsKey(write.key()))
                    .count();
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

    private RowHistory row(Write write) {
        return rows.computeIfAbsent(write.key(), RowHistory::new);
    }
}
