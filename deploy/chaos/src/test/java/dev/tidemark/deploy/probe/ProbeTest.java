package dev.tidemark.deploy.probe;

import java.net.ConnectException;
import java.time.Duration;
import java.util.function.Predicate;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class ProbeTest {
    private static final Duration OFTEN = Duration.ofMillis(10);

    private final FakeServices services = new FakeServices();
    private Probe probe;

    @BeforeEach
    void start() throws Exception {
        probe = Probe.start(
                services.target(), new Probe.ProbeSettings("canary", "by_id", OFTEN, OFTEN), new SteadyClock());
    }

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void findsNothingWrongWithHonestServicesThatFollow() throws Exception {
        awaitReport(report -> report.judged() > 100);

        ProbeReport report = probe.stop();
        assertThat(report.isHonest()).as("%s", report.lies()).isTrue();
        assertThat(report.index()).isEqualTo("canary.by_id");
        for (ProbeReport.SourceReport source : report.sources()) {
            assertThat(source.judged()).as("%s", source).isPositive();
        }
        assertThat(report.visibility().count()).isPositive();
        assertThat(services.rows()).isZero();
    }

    @Test
    void findsNothingWrongWithAWriterWhoseClockIsAhead() throws Exception {
        services.writerAhead = Duration.ofHours(1);
        awaitReport(report -> report.source(Source.COMPLETE_UP_TO).judged() > 50);

        assertThat(probe.stop().lies()).isEmpty();
    }

    @Test
    void findsNothingWrongWithAnIndexThatIsStuckAndSaysSo() throws Exception {
        services.stick(true);
        awaitReport(report -> report.worstTruth() > 0.3);
        services.stick(false);

        assertThat(probe.stop().lies()).isEmpty();
    }

    @Test
    void catchesServicesThatSayAllIsWellWhileTheIndexIsStuck() throws Exception {
        services.lying.set(true);
        services.stick(true);
        awaitReport(report -> report.sources().stream().allMatch(source -> source.underReported() > 0));

        ProbeReport report = probe.stop();
        assertThat(report.isHonest()).isFalse();
        assertThat(report.lies()).isNotEmpty();
    }

    @Test
    void goesOnWhileBothServicesAreAwayAndSaysForHowLong() throws Exception {
        awaitReport(report -> report.answers() > 5);
        services.workerGone.set(true);
        services.writerGone.set(true);
        awaitReport(report -> report.worker().times() == 1 && report.writes().refused() > 5);
        services.workerGone.set(false);
        services.writerGone.set(false);
        long answers = probe.report().answers();
        awaitReport(report -> report.answers() > answers + 5);

        ProbeReport report = probe.stop();
        assertThat(report.lies()).isEmpty();
        assertThat(report.worker().total()).isPositive();
        assertThat(report.writer().total()).isPositive();
        assertThat(report.source(Source.WRITER_FRESHNESS).unanswered()).isPositive();
    }

    @Test
    void knowsARefusedWriteFromOneThatMayHaveHappened() throws Exception {
        services.writeStatus = 422;
        awaitReport(report -> report.writes().refused() > 5);
        assertThat(probe.report().writes().uncertain()).isZero();

        services.writeStatus = 500;
        awaitReport(report -> report.writes().uncertain() > 5);
        services.writeStatus = 200;

        assertThat(probe.stop().isHonest()).isTrue();
    }

    @Test
    void writesNothingWhilePaused() throws Exception {
        awaitReport(report -> report.writes().acknowledged() > 5);
        probe.pauseWrites(true);
        long answers = probe.report().answers();
        awaitReport(report -> report.answers() > answers + 5);
        long writes = probe.report().writes().acknowledged();
        awaitReport(report -> report.answers() > answers + 20);

        assertThat(probe.report().writes().acknowledged()).isEqualTo(writes);
        probe.stop();
    }

    @Test
    void doesNotStartWithoutAWriter() {
        services.writerGone.set(true);

        assertThatThrownBy(() -> Probe.start(services.target(), Probe.ProbeSettings.usual(), new SteadyClock()))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void doesNotCallItselfHonestWhenNothingCouldBeJudged() throws Exception {
        services.workerGone.set(true);
        services.writerGone.set(true);
        try (Probe blind = startBlind()) {
            await().until(() -> blind.report().worker().times() > 0);
            assertThat(blind.stop().isHonest()).isFalse();
        }
    }

    private Probe startBlind() throws Exception {
        services.writerGone.set(false);
        Probe blind = Probe.start(services.target(), Probe.ProbeSettings.usual(), new SteadyClock());
        services.writerGone.set(true);
        return blind;
    }

    private void awaitReport(Predicate<ProbeReport> condition) {
        await().atMost(Duration.ofSeconds(30)).until(() -> condition.test(probe.report()));
    }
}
