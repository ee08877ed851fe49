package dev.tidemark.writer.leader;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;

/**
 * Holds the right to commit for this process, or waits for it. The holder renews it several times within
 * {@link #SILENCE}; a writer that sees no renewal for that long takes it. A holder that finds it taken has to end.
 *
 * <p>Silence is what this process sees itself, by its own clock. It counts only while the database answers: a database
 * that is away, or a process that stood still, says nothing about the holder. To be wrong costs a change of the holder
 * and nothing else, because each commit checks the right.
 */
public final class TermAgent implements Agent {
    /** A holder that renews nothing for this time counts as gone. */
    public static final Duration SILENCE = Duration.ofMillis(1_500);

    private static final Logger LOGGER = LoggerFactory.getLogger(TermAgent.class);
    private static final Duration RENEW_AGAIN = Duration.ofMillis(300);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    /** Two looks that are further apart do not show a silence in between. */
    private static final Duration LOOKS_APART = Duration.ofSeconds(1);

    /** Where the holder serves that has given the right up. */
    private static final String NOWHERE = "";

    private final CommitTerms terms;
    private final String url;
    private final String place;
    private final Runnable taken;
    private final Clock clock;
    private Instant next = Instant.MIN;
    private Instant since = Instant.MIN;
    private Instant lookedAt = Instant.MIN;
    private Optional<TermHolder> last = Optional.empty();

    /** Whether the look before this one was answered. */
    private boolean answered;

    private boolean given;
    private volatile Optional<TermHolder> seen = Optional.empty();
    private volatile Optional<String> trouble =
            Optional.of("the database has not been asked yet which writer is active");
    private volatile boolean held;
    private volatile Optional<String> lost = Optional.empty();

    /**
     * An agent that has not looked yet.
     *
     * @param url where this process serves, as others reach it
     * @param place host, process number and data directory of this process, for people
     * @param taken called once, when this process has taken the right
     */
    public TermAgent(CommitTerms terms, String url, String place, Runnable taken, Clock clock) {
        this.terms = terms;
        this.url = url;
        this.place = place;
        this.taken = taken;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "term";
    }

    @Override
    public synchronized int doWork() {
        if (given || lost.isPresent() || clock.instant().isBefore(next)) {
            return 0;
        }
        try {
            if (held) {
                renew();
            } else {
                look();
            }
            trouble = Optional.empty();
        } catch (RuntimeException e) {
            if (trouble.isEmpty()) {
                LOGGER.warn("The database does not say which writer is active", e);
            }
            trouble = Optional.of("the database does not say which writer is active: " + e.getMessage());
            answered = false;
        }
        next = clock.instant().plus(held ? RENEW_AGAIN : LOOK_AGAIN);
        return 1;
    }

    /** Whether this process has taken the right, and knows of no other one that took it since; for any thread. */
    public boolean isHeld() {
        return held && lost.isEmpty();
    }

    /** Why this process has to end: another one has the right; empty while none has. For any thread. */
    public Optional<String> lost() {
        return lost;
    }

    /** What is wrong with the database; empty where it answered last. For any thread. */
    public Optional<String> trouble() {
        return trouble;
    }

    /** Where the active writer serves, which is another process; empty while there is none. For any thread. */
    public Optional<URI> active() {
        return held ? Optional.empty() : seen.filter(this::isElsewhere).map(holder -> URI.create(holder.url()));
    }

    /** Gives the right up, so that another process takes it at once; for any thread, after the last commit. */
    public synchronized void giveUp() {
        given = true;
        if (isHeld()) {
            try {
                // Taken with no address, so that the next process has nothing to wait for.
                boolean done = terms.take(terms.holder().filter(this::isOurs), NOWHERE, place);
                LOGGER.info(done ? "Gave up the right to commit" : "Another writer has the right to commit");
            } catch (RuntimeException e) {
                LOGGER.warn("The right to commit was not given up; others take it after a while", e);
            }
        }
    }

    private void renew() {
        if (!terms.renew()) {
            String by = terms.holder()
                    .map(holder -> holder.place() + ", at " + holder.url())
                    .orElse("of which the database does not know any more");
            String reason = "another writer has taken over: " + by;
            lost = Optional.of(reason);
            LOGGER.error("Stopping: {}", reason);
        }
    }

    private void look() {
        Optional<TermHolder> found = terms.holder();
        Instant now = clock.instant();
        if (!answered || !found.equals(last) || now.isAfter(lookedAt.plus(LOOKS_APART))) {
            since = now;
        }
        answered = true;
        last = found;
        lookedAt = now;
        boolean isSilent = !now.isBefore(since.plus(SILENCE));
        boolean isFree = found.map(TermHolder::url).orElse(NOWHERE).equals(NOWHERE);
        seen = isSilent ? Optional.empty() : found;
        if ((isFree || isSilent) && terms.take(found, url, place)) {
            LOGGER.info(
                    "This writer is the active one now; before it, {}",
                    found.map(TermHolder::place).orElse("there was none"));
            held = true;
            taken.run();
        }
    }

    private boolean isElsewhere(TermHolder holder) {
        return !holder.url().equals(NOWHERE) && !holder.url().equals(url);
    }

    private boolean isOurs(TermHolder holder) {
        return holder.url().equals(url) && holder.place().equals(place);
    }
}
