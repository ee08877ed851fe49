package dev.tidemark.deploy.simulation;

import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.QueryResult;

/** What an answer to a question for all entries of some partitions shows of one row. */
record AnsweredRow(SimulatedWorker.Answered answered, Set<Integer> partitions, KeyBytes key) {

    /** Whether an answer need not be right about a row: it names the row, or could not name all such rows. */
    static boolean isExcused(Freshness.Quarantined quarantined, KeyBytes key) {
        return quarantined.count() > quarantined.rows().size()
                || quarantined.rows().stream().anyMatch(row -> row.key().equals(key));
    }

    boolean isExcused() {
        return isExcused(answered.answer().freshness().quarantined(), key);
    }

    /** The first key parts of the row's entries. */
    Set<String> found() {
        Set<String> found = new TreeSet<>();
        for (QueryResult.Entry entry : answered.answer().entries()) {
            if (entry.primaryKey().equals(key)) {
                found.add(entry.key().get(0).toJson().asText());
            }
        }
        return found;
    }

    /** Whether the row is as some change from a given one on left it. */
    boolean isOf(Watched watched, ChangeEvent first) {
        Set<String> found = found();
        return watched.history().since(key, first.version()).stream()
                .anyMatch(event -> values(watched, event).equals(found));
    }

    private Set<String> values(Watched watched, ChangeEvent event) {
        Set<String> values = new TreeSet<>();
        if (event instanceof ChangeEvent.Upserted row) {
            watched.entries(partitions, answered.index().definition(), row)
                    .forEach(entry -> values.add(entry.substring(0, entry.indexOf('|'))));
        }
        return values;
    }
}
