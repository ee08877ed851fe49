package dev.tidemark.writer.testkit;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.writer.leader.CommitTerms;
import dev.tidemark.writer.leader.TermHolder;

/** One row that says who may commit, as several processes see it: each of them has its own {@link #process()}. */
public final class InMemoryTerms {
    private @Nullable TermHolder row;
    private boolean away;

    /** Who holds the right. */
    public synchronized Optional<TermHolder> row() {
        return Optional.ofNullable(row);
    }

    /** From now on the database answers nobody, or answers again. */
    public synchronized void away(boolean now) {
        away = now;
    }

    /** The right as one process sees it. */
    public CommitTerms process() {
        return new OneProcess();
    }

    private synchronized Optional<TermHolder> read() {
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return row();
    }

    private synchronized long take(Optional<TermHolder> seen, String url, String place) {
        if (!read().equals(seen)) {
            return 0;
        }
        TermHolder taken = new TermHolder(seen.map(TermHolder::term).orElse(0L) + 1, url, place, 0);
        row = taken;
        return taken.term();
    }

    private synchronized boolean renew(long term) {
        TermHolder now = read().orElseThrow();
        if (now.term() != term) {
            return false;
        }
        row = new TermHolder(term, now.url(), now.place(), now.renewals() + 1);
        return true;
    }

    private final class OneProcess implements CommitTerms {
        private long term;

        @Override
        public Optional<TermHolder> holder() {
            return read();
        }

        @Override
        public boolean take(Optional<TermHolder> seen, String url, String place) {
            long taken = InMemoryTerms.this.take(seen, url, place);
            term = Math.max(term, taken);
            return taken > 0;
        }

        @Override
        public boolean renew() {
            return InMemoryTerms.this.renew(term);
        }
    }
}
