package dev.tidemark.writer.leader;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.postgres.InMemoryPostgres;
import dev.tidemark.writer.testkit.InMemoryDisk;

import static org.assertj.core.api.Assertions.assertThat;

class TermAgentTest {
    private static final Duration STEP = Duration.ofMillis(100);
    private static final String FIRST = "http://first:1";
    private static final String SECOND = "http://second:2";

    private final ManualClock clock = new ManualClock();
    private final InMemoryPostgres server = new InMemoryPostgres(new InMemoryDisk(), new InMemoryPostgres.Nature() {});
    private final List<String> taken = new ArrayList<>();
    private final TermAgent first = agent(FIRST);
    private final TermAgent second = agent(SECOND);

    @Test
    void theFirstWriterTakesTheRightAtOnceAndTheOtherForwardsToIt() {
        first.doWork();
        pass(Duration.ofSeconds(30), first, second);

        assertThat(first.isHeld()).isTrue();
        assertThat(first.active()).isEmpty();
        assertThat(second.isHeld()).isFalse();
        assertThat(second.active()).contains(URI.create(FIRST));
        assertThat(taken).containsExactly(FIRST);
    }

    @Test
    void aHolderThatIsSilentIsReplacedAfterAWhileAndNotBefore() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);

        pass(Duration.ofMillis(1_200), second);
        assertThat(second.isHeld()).isFalse();
        assertThat(second.active()).contains(URI.create(FIRST));

        pass(Duration.ofMillis(600), second);
        assertThat(second.isHeld()).isTrue();
        assertThat(taken).containsExactly(FIRST, SECOND);
    }

    @Test
    void aHolderThatWasSuspendedFindsOutAndTakesNothingBack() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);
        pass(Duration.ofSeconds(5), second);

        pass(Duration.ofSeconds(10), first, second);

        assertThat(first.isHeld()).isFalse();
        assertThat(first.lost().orElseThrow()).contains("place of " + SECOND).contains(SECOND);
        assertThat(second.isHeld()).isTrue();
        assertThat(server.holder().orElseThrow().term()).isEqualTo(2);
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsNoSilenceOfTheHolder() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);

        server.away(true);
        pass(Duration.ofSeconds(60), first, second);
        assertThat(second.trouble().orElseThrow()).contains("the database is away");
        server.away(false);
        // It sees the holder where it was before, and has to wait anew.
        second.doWork();
        pass(STEP, second);
        assertThat(second.isHeld()).isFalse();

        pass(Duration.ofSeconds(10), first, second);
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isFalse();
        assertThat(second.trouble()).isEmpty();
    }

    @Test
    void aProcessThatStoodStillHasSeenNoSilence() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);

        clock.advance(Duration.ofSeconds(60));
        second.doWork();

        assertThat(second.isHeld()).isFalse();
    }

    @Test
    void aRenewalBetweenLookAndTakeKeepsTheRight() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);
        TermHolder seen = server.holder().orElseThrow();
        pass(Duration.ofSeconds(1), first);

        assertThat(server.open().terms().orElseThrow().take(Optional.of(seen), SECOND, "place"))
                .isFalse();
        assertThat(server.holder().orElseThrow().url()).isEqualTo(FIRST);
    }

    @Test
    void aWriterThatStopsGivesTheRightUpAndTheNextTakesItAtOnce() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);

        first.giveUp();
        pass(STEP.multipliedBy(2), second);

        assertThat(second.isHeld()).isTrue();
        assertThat(server.holder().orElseThrow().term()).isEqualTo(3);
    }

    @Test
    void aWriterThatLostTheRightGivesNothingUp() {
        first.doWork();
        pass(Duration.ofSeconds(5), first, second);
        pass(Duration.ofSeconds(5), second);

        first.giveUp();

        assertThat(server.holder().orElseThrow().url()).isEqualTo(SECOND);
    }

    @Test
    void aWriterDoesNotForwardToItsOwnAddress() {
        first.doWork();
        TermAgent again = agent(FIRST);
        again.doWork();

        assertThat(again.isHeld()).isFalse();
        assertThat(again.active()).isEmpty();
    }

    @Test
    void ofManyThatWaitOneTakesTheRight() {
        TermAgent third = agent("http://third:3");
        first.doWork();
        pass(Duration.ofSeconds(5), first, second, third);

        pass(Duration.ofSeconds(5), second, third);

        assertThat(second.isHeld()).isNotEqualTo(third.isHeld());
        assertThat(taken).hasSize(2);
    }

    private TermAgent agent(String url) {
        return new TermAgent(server.open().terms().orElseThrow(), url, "place of " + url, () -> taken.add(url), clock);
    }

    private void pass(Duration time, TermAgent... running) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(STEP)) {
            clock.advance(STEP);
            for (TermAgent one : running) {
                one.doWork();
            }
        }
    }
}
