package dev.tidemark.writer.leader;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.runtime.Agent;
import dev.tidemark.writer.catalog.LogUnavailableException;

/**
 * Claims for this process that it is the writer of its deployment, and looks once a second whether another process has
 * claimed it since. Of two, the one whose claim comes last goes on, and the other stops.
 *
 * <p>A process of another data directory, such as a copy on another host, claims nothing while the one before it
 * publishes. So two that are started again and again do not take turns. Silence counts only while the log answers,
 * because nothing can be published to a log that is away. The other one may have given versions that no topic shows, so
 * the claim of the process names a later epoch.
 */
public final class LeaderAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(LeaderAgent.class);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    /** A look that begins later after the one before shows no silence in between: this process stood still too. */
    private static final Duration LOOKS_APART = Duration.ofSeconds(2);

    /** Within this time after an outage a writer publishes again: its relay rests, then looks at each topic. */
    private static final Duration RECOVERY = Duration.ofSeconds(10);

    private final long epoch;
    private final ClaimLog log;
    private final PublishedEnds ends;
    private final LeaderState state;
    private final Duration silence;
    private final Clock clock;
    private Claim claim;
    private Instant lookAt = Instant.MIN;
    private boolean leads;
    private long lastEnds = -1;
    private String lastOther = "";
    private Instant goneAt = Instant.MIN;

    /** A look that begins later shows no silence since the one before. */
    private Instant lookBy = Instant.MAX;

    private String said = "";

    /**
     * An agent that has not looked yet.
     *
     * @param claim of this process
     * @param epoch that of its fact tables when the process began
     */
    public LeaderAgent(Claim claim, long epoch, ClaimLog log, PublishedEnds ends, LeaderState state, Clock clock) {
        this.claim = claim;
        this.epoch = epoch;
        this.log = log;
        this.ends = ends;
        this.state = state;
        this.silence = state.silence();
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "leader";
    }

    @Override
    public int doWork() throws InterruptedException {
        Instant now = clock.instant();
        if (now.isBefore(lookAt) || state.replaced().isPresent()) {
            return 0;
        }
        lookAt = now.plus(LOOK_AGAIN);
        try {
            look(now);
            return 1;
        } catch (LogUnavailableException e) {
            LOGGER.debug("Claims cannot be read or published at the moment", e);
            if (!leads) {
                lookBy = Instant.MIN;
                state.waitFor("it cannot be found out whether another writer of this deployment is at work: "
                        + e.getMessage());
            }
            return 0;
        } finally {
            // When it began, because the process may have stood still since it read.
            state.looked(now);
        }
    }

    private void look(Instant now) throws LogUnavailableException, InterruptedException {
        Optional<Claim> last = log.last();
        boolean mine =
                last.filter(found -> found.process().equals(claim.process())).isPresent();
        if (leads) {
            if (last.isEmpty()) {
                log.publish(claim);
            } else if (mine) {
                state.confirmed(now);
            } else {
                stop(last.get());
            }
            return;
        }
        boolean elsewhere = last.filter(found -> !found.directory().equals(claim.directory()))
                .isPresent();
        if (elsewhere && isAtWork(last.get(), now)) {
            waitFor(last.get());
            return;
        }
        claim = last.map(found -> claim.after(found, epoch)).orElse(claim);
        log.publish(claim);
        if (log.last().filter(claim::equals).isPresent()) {
            leads = true;
            state.confirmed(now);
            state.lead(claim.leastEpoch());
        }
    }

    /** Whether the other writer has claimed, or any writer has published, too recently to be gone. */
    private boolean isAtWork(Claim other, Instant began) throws LogUnavailableException, InterruptedException {
        long found = ends.sum();
        Instant now = clock.instant();
        boolean wasAway = began.isAfter(lookBy);
        if (wasAway || found != lastEnds || !other.process().equals(lastOther)) {
            Instant silent = now.plus(wasAway ? silence.plus(RECOVERY) : silence);
            goneAt = silent.isAfter(goneAt) ? silent : goneAt;
        } else {
            // The time of a look is none of silence: the log may have been away meanwhile.
            goneAt = goneAt.plus(Duration.between(began, now));
        }
        lastEnds = found;
        lastOther = other.process();
        lookAt = now.plus(LOOK_AGAIN);
        lookBy = now.plus(LOOKS_APART);
        return now.isBefore(goneAt);
    }

    private void waitFor(Claim other) {
        String reason = "another writer of this deployment is at work: " + other.place() + ", since " + other.at()
                + ". This one takes no writes and publishes nothing until that one has been silent for "
                + silence.toSeconds() + " s, or longer after an outage of the log";
        state.waitFor(reason);
        if (!reason.equals(said)) {
            said = reason;
            LOGGER.warn("Waiting: {}", reason);
        }
    }

    private void stop(Claim other) {
        String reason = "another writer of this deployment has taken over: " + other.place() + ", at " + other.at()
                + ". This one takes no writes and publishes nothing any more. Run one of the two, and remove the"
                + " data directory of the other";
        state.stop(reason);
        LOGGER.error("Stopping: {}", reason);
    }
}
