package dev.tidemark.writer.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.catalog.LogUnavailableException;

import static org.assertj.core.api.Assertions.assertThat;

/** Two writers of one deployment over one log of claims. */
class LeaderAgentTest {
    private static final Duration SILENCE = Duration.ofSeconds(3);
    private static final long EPOCH = 4;

    private final ManualClock clock = new ManualClock();
    private final Claims claims = new Claims();
    private long ends;

    @Test
    void aWriterThatIsAloneLeadsAtOnce() throws Exception {
        Writer writer = new Writer("one", "here");
        assertThat(writer.state.refusal()).isPresent();

        writer.look();

        assertThat(writer.state.isHeld()).isTrue();
        assertThat(writer.state.leastEpoch()).isZero();
    }

    @Test
    void soDoesOneThatIsStartedAgainWhereItWas() throws Exception {
        new Writer("one", "here").look();
        Writer again = new Writer("two", "here");

        again.look();

        assertThat(again.state.isHeld()).isTrue();
        assertThat(again.state.leastEpoch()).isZero();
    }

    @Test
    void aCopyElsewhereWaitsWhileTheOtherOnePublishes() throws Exception {
        Writer first = new Writer("one", "here");
        first.look();
        Writer copy = new Writer("two", "elsewhere");

        for (int i = 0; i < 10; i++) {
            ends++;
            copy.look();
            first.look();
        }

        assertThat(copy.state.isHeld()).isFalse();
        assertThat(copy.state.refusal())
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("another writer of this deployment is at work: the place of one")
                        .contains("silent for 3 s"));
        assertThat(copy.state.replaced()).isEmpty();
        assertThat(first.state.isHeld()).isTrue();
    }

    @Test
    void aCopyTakesOverFromOneThatIsSilentAndThatOneStopsForGood() throws Exception {
        Writer first = new Writer("one", "here");
        first.look();
        Writer copy = new Writer("two", "elsewhere");

        for (int i = 0; i < 5; i++) {
            copy.look();
        }
        assertThat(copy.state.isHeld()).isTrue();
        assertThat(copy.state.leastEpoch()).isEqualTo(EPOCH + 1);

        first.look();
        first.look();

        assertThat(first.state.isHeld()).isFalse();
        assertThat(first.state.replaced())
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("another writer of this deployment has taken over: the place of two"));
        assertThat(first.state.refusal()).isEqualTo(first.state.replaced());
        assertThat(copy.state.isHeld()).isTrue();
    }

    @Test
    void aWriterThatPublishesNothingWhileTheLogIsAwayHasTimeToGoOn() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        copy.look();
        ends++;
        copy.look();
        claims.away = true;
        for (int i = 0; i < 5; i++) {
            copy.look();
        }
        claims.away = false;

        for (long second = 0; second < SILENCE.plusSeconds(10).toSeconds(); second++) {
            copy.look();
            assertThat(copy.state.isHeld()).as("after %d s", second).isFalse();
        }
        copy.look();
        assertThat(copy.state.isHeld()).isTrue();
    }

    @Test
    void whatIsPublishedSoonAfterAnOutageDoesNotShortenThatTime() throws Exception {
        claims.published.add(new Writer("one", "here").claim);
        claims.away = true;
        Writer copy = new Writer("two", "elsewhere");
        copy.look();
        claims.away = false;
        copy.look();
        ends++;

        for (int i = 0; i < 9; i++) {
            copy.look();
        }

        assertThat(copy.state.isHeld()).isFalse();
    }

    @Test
    void aCopyThatStoodStillHasSeenNoSilence() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        copy.look();
        clock.advance(SILENCE);

        copy.look();

        assertThat(copy.state.isHeld()).isFalse();
    }

    @Test
    void noSilenceIsSeenWhileALookWaitsForTheLog() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        copy.look();
        claims.afterReading = () -> {
            clock.advance(SILENCE);
            claims.afterReading = () -> {};
        };

        copy.look();
        copy.look();

        assertThat(copy.state.isHeld()).isFalse();
        copy.look();
        assertThat(copy.state.isHeld()).isTrue();
    }

    @Test
    void aTakeoverIsNotForgottenWhenTheAnswerToItsClaimIsLost() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        claims.afterPublishing = () -> claims.away = true;
        for (int i = 0; i < 5; i++) {
            copy.look();
        }
        assertThat(copy.state.isHeld()).isFalse();

        claims.away = false;
        claims.afterPublishing = () -> {};
        copy.look();

        assertThat(copy.state.isHeld()).isTrue();
        assertThat(copy.state.leastEpoch()).isEqualTo(EPOCH + 1);
    }

    @Test
    void aTakeoverIsNotForgottenByALaterProcessOfTheDirectory() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        for (int i = 0; i < 5; i++) {
            copy.look();
        }

        Writer again = new Writer("three", "elsewhere");
        again.look();

        assertThat(again.state.isHeld()).isTrue();
        assertThat(again.state.leastEpoch()).isEqualTo(EPOCH + 1);
    }

    @Test
    void oneThatTakesOverFromATakeoverGivesVersionsInALaterEpochThanThatOne() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");
        for (int i = 0; i < 5; i++) {
            copy.look();
        }

        Writer third = new Writer("three", "a third place");
        for (int i = 0; i < 5; i++) {
            third.look();
        }

        assertThat(third.state.isHeld()).isTrue();
        assertThat(third.state.leastEpoch()).isEqualTo(EPOCH + 2);
    }

    @Test
    void ofTwoThatClaimAtTheSameMomentTheLaterOneLeads() throws Exception {
        new Writer("gone", "nowhere").look();
        Writer first = new Writer("one", "here");
        Writer second = new Writer("two", "elsewhere");
        claims.afterPublishing = () -> claims.published.add(second.claim);

        for (int i = 0; i < 4; i++) {
            first.look();
        }
        claims.afterPublishing = () -> {};
        first.look();
        second.look();

        assertThat(second.state.isHeld()).isTrue();
        assertThat(first.state.isHeld()).isFalse();
        assertThat(first.state.replaced()).isEmpty();
    }

    @Test
    void aWriterThatLeadsGoesOnWhileTheLogIsAway() throws Exception {
        Writer writer = new Writer("one", "here");
        writer.look();
        claims.away = true;

        writer.look();

        assertThat(writer.state.isHeld()).isTrue();
    }

    @Test
    void aWriterThatStoodStillTakesNoWritesBeforeItHasLookedAgain() throws Exception {
        Writer writer = new Writer("one", "here");
        writer.look();

        clock.advance(SILENCE);
        assertThat(writer.state.refusal()).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(writer.state.refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("stood still"));
        writer.state.runs();

        assertThat(writer.state.refusal()).isPresent();
        writer.look();
        assertThat(writer.state.refusal()).isEmpty();
    }

    @Test
    void whatWasReadBeforeAWriterStoodStillIsNotBelieved() throws Exception {
        Writer writer = new Writer("one", "here");
        writer.look();
        claims.afterReading = () -> {
            clock.advance(SILENCE.multipliedBy(2));
            writer.state.runs();
            claims.afterReading = () -> {};
        };

        clock.advance(Duration.ofSeconds(1));
        writer.agent.doWork();

        assertThat(writer.state.refusal()).isPresent();
        writer.agent.doWork();
        assertThat(writer.state.refusal()).isEmpty();
    }

    @Test
    void aWriterWhoseLookWaitsForTheLogTakesWrites() throws Exception {
        Writer writer = new Writer("one", "here");
        writer.look();
        List<Optional<String>> meanwhile = new ArrayList<>();
        claims.afterReading = () -> {
            for (int second = 0; second < 2 * SILENCE.toSeconds(); second++) {
                clock.advance(Duration.ofSeconds(1));
                writer.state.runs();
                meanwhile.add(writer.state.refusal());
            }
            claims.away = true;
        };

        writer.look();

        assertThat(meanwhile).containsOnly(Optional.empty());
        assertThat(writer.state.refusal()).isEmpty();
    }

    @Test
    void aWriterThatCannotAskDoesNotLeadAndSaysWhy() throws Exception {
        claims.away = true;
        Writer writer = new Writer("one", "here");

        writer.look();

        assertThat(writer.state.isHeld()).isFalse();
        assertThat(writer.state.refusal())
                .hasValueSatisfying(text -> assertThat(text).contains("the log is away"));
    }

    @Test
    void aClaimThatTheLogHasLostIsMadeAgain() throws Exception {
        Writer writer = new Writer("one", "here");
        writer.look();
        claims.published.clear();

        writer.look();

        assertThat(claims.published).hasSize(1);
        assertThat(writer.state.isHeld()).isTrue();
    }

    @Test
    void aWriterKnowsSinceWhenItMayHaveBeenReplaced() throws Exception {
        Writer first = new Writer("one", "here");
        Writer copy = new Writer("two", "elsewhere");
        first.look();
        assertThat(first.state.unconfirmedFor()).contains(Duration.ZERO);

        for (int i = 0; i < 5; i++) {
            copy.look();
        }
        assertThat(copy.state.unconfirmedFor()).as("leads").contains(Duration.ZERO);
        assertThat(first.state.unconfirmedFor()).as("stood still").contains(Duration.ofSeconds(5));

        claims.away = true;
        first.look();
        assertThat(first.state.unconfirmedFor()).as("cannot look").contains(Duration.ofSeconds(6));

        claims.away = false;
        first.look();
        assertThat(first.state.unconfirmedFor()).as("replaced").isEmpty();
    }

    @Test
    void aWriterThatWaitsKnowsOfNoVersions() throws Exception {
        new Writer("one", "here").look();
        Writer copy = new Writer("two", "elsewhere");

        copy.look();

        assertThat(copy.state.unconfirmedFor()).isEmpty();
    }

    private final class Writer {
        private final LeaderState state = new LeaderState(SILENCE.dividedBy(6), clock);
        private final LeaderAgent agent;
        private final Claim claim;

        Writer(String process, String directory) {
            claim = new Claim(process, directory, "the place of " + process, clock.instant(), 0);
            agent = new LeaderAgent(claim, EPOCH, claims, () -> ends, state, clock);
        }

        void look() {
            try {
                clock.advance(Duration.ofSeconds(1));
                state.runs();
                agent.doWork();
                agent.doWork();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Claims in memory. */
    private static final class Claims implements ClaimLog {
        private final List<Claim> published = new ArrayList<>();
        private Runnable afterPublishing = () -> {};
        private Runnable afterReading = () -> {};
        private boolean away;

        @Override
        public Optional<Claim> last() throws LogUnavailableException {
            requireThere();
            afterReading.run();
            requireThere();
            return published.isEmpty() ? Optional.empty() : Optional.of(published.get(published.size() - 1));
        }

        @Override
        public void publish(Claim claim) throws LogUnavailableException {
            requireThere();
            published.add(claim);
            afterPublishing.run();
        }

        private void requireThere() throws LogUnavailableException {
            if (away) {
                throw new LogUnavailableException("the log is away", new IllegalStateException("by order"));
            }
        }
    }
}
