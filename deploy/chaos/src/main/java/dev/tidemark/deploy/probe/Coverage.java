package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The partitions that the workers answer for, and until when that is known. Every time is the moment at which a query
 * was sent.
 */
final class Coverage {
    private final Instant[] shown;
    private final @Nullable Instant[] silentSince;
    private final Instant[] heard;

    Coverage(int partitions, int workers) {
        this.shown = filled(partitions);
        this.silentSince = new @Nullable Instant[partitions];
        this.heard = filled(workers);
    }

    /** A worker answered a question with some partitions, or with none: refused it, or gave no answer. */
    void heard(int worker, Instant asked, Collection<Integer> partitions) {
        heard[worker] = later(heard[worker], asked);
        for (int partition = 0; partition < shown.length; partition++) {
            Instant silence = silentSince[partition];
            if (partitions.contains(partition)) {
                shown[partition] = later(shown[partition], asked);
                silentSince[partition] = silence != null && silence.isAfter(asked) ? silence : null;
            } else if (silence == null && asked.isAfter(shown[partition])) {
                silentSince[partition] = asked;
            }
        }
    }

    /**
     * Whether it is known what could be seen at a moment: since then every worker was asked, and for each of the
     * partitions an answer showed it.
     */
    boolean reaches(Instant moment, Collection<Integer> partitions) {
        return Arrays.stream(heard).noneMatch(asked -> asked.isBefore(moment))
                && partitions.stream().noneMatch(partition -> shown[partition].isBefore(moment));
    }

    /** Since when no answer has shown a partition; empty while the latest answers show it. */
    Optional<Instant> silentSince(int partition) {
        return Optional.ofNullable(silentSince[partition]);
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static Instant[] filled(int count) {
        Instant[] instants = new Instant[count];
        Arrays.fill(instants, Instant.MIN);
        return instants;
    }

    /**
     * For how long a service did not answer: each time from the first question without an answer to the next answer.
     */
    static final class Outage {
        private @Nullable Instant since;
        private Duration ended = Duration.ZERO;
        private long times;

        /** A question got an answer. */
        void answered(Instant asked, Instant answered) {
            Instant began = since;
            // With several askers, an old answer may come in after a newer question has failed.
            if (began != null && !asked.isBefore(began)) {
                ended = ended.plus(Duration.between(began, answered));
                since = null;
            }
        }

        /** A question got none. */
        void unanswered(Instant asked) {
            if (since == null) {
                since = asked;
                times++;
            }
        }

        /** All of it, up to now. */
        ProbeReport.Away total(Instant now) {
            Instant began = since;
            return new ProbeReport.Away(times, began == null ? ended : ended.plus(Duration.between(began, now)));
        }
    }
}
