package dev.tidemark.writer.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.api.BulkResult;
import dev.tidemark.api.BulkResult.Rejection;
import dev.tidemark.http.Problem;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.commit.WriteCommand;

/** Counts the outcomes of the lines of a bulk load. */
final class BulkTally {
    /** Most rejected lines that an answer lists. */
    static final int MAX_LISTED = 1_000;

    private final RowRules table;
    private final Map<Integer, RowVersion> versions = new TreeMap<>();
    private final List<Rejection> listed = new ArrayList<>();
    private long committed;
    private long rejected;
    private Optional<Problem> least = Optional.empty();

    BulkTally(RowRules table) {
        this.table = table;
    }

    /** A line that was not taken, with the problem that it would have been alone. */
    void reject(long line, Problem problem) {
        rejected++;
        least = Optional.of(least.map(other -> common(other, problem)).orElse(problem));
        if (listed.size() < MAX_LISTED) {
            listed.add(new Rejection(line, problem.detail()));
        }
    }

    /** The one with the lesser status; where both have the same, what they have in common. */
    private static Problem common(Problem one, Problem other) {
        if (one.status() != other.status()) {
            return one.status() < other.status() ? one : other;
        }
        return one.type().equals(other.type()) ? one : Problem.of(one.status(), one.title(), one.detail());
    }

    void outcome(long line, WriteCommand command, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Written written) {
            commit(written.partition(), written.version());
        } else if (outcome instanceof CommitOutcome.Deleted deleted) {
            commit(deleted.partition(), deleted.version());
        } else if (!(outcome instanceof CommitOutcome.Abandoned)) {
            reject(
                    line,
                    CommandAnswers.problem(table.table().name(), Tables.shown(table.table(), command.key()), outcome));
        }
    }

    long committed() {
        return committed;
    }

    long rejected() {
        return rejected;
    }

    /** What the rejected lines with the least status have in common: status, title and kind; empty without any. */
    Optional<Problem> least() {
        return least;
    }

    /** The rejected lines as sentences, in their order. */
    List<String> sentences() {
        return sorted().stream()
                .map(one -> "line " + one.line() + ": " + one.detail())
                .toList();
    }

    byte[] toJson() {
        String token = new SessionToken(table.table().name(), versions).encode();
        return RowJson.write(new BulkResult(committed, sorted(), rejected, token));
    }

    private List<Rejection> sorted() {
        return listed.stream().sorted(Comparator.comparingLong(Rejection::line)).toList();
    }

    private void commit(int partition, RowVersion version) {
        committed++;
        versions.merge(partition, version, (a, b) -> a.isAfter(b) ? a : b);
    }
}
