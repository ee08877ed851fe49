package dev.tidemark.deploy.e2e.guarantee;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.tidemark.deploy.chaos.ProbeText;
import dev.tidemark.deploy.chaos.http.HttpCallers;
import dev.tidemark.deploy.e2e.running.RunTotals;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.Probe.CannotProbeException;
import dev.tidemark.deploy.probe.Probe.ProbeSettings;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeReport.SourceReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.probe.Source;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.runtime.SteadyClock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * While it watches, no number that anybody gives of the lag is smaller than the real one by more than a sampling
 * period, whatever happens to the services. The judge is the shipped prober, on the table {@code canary}.
 */
public final class LagNeverUnderReported implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(100);

    /** At the usual interval a prober keeps seven tenths of a processor busy; what it tolerates stays as strict. */
    private static final ProbeSettings SETTINGS =
            new ProbeSettings(ProbeSettings.TABLE, "", Duration.ofMillis(200), ProbeSettings.INTERVAL);

    private final String situation;
    private final Probe probe;

    private LagNeverUnderReported(String situation, Probe probe) {
        this.situation = situation;
        this.probe = probe;
    }

    /** Begins to watch; the writer must answer now. */
    public static LagNeverUnderReported watch(String situation, URI writer, URI... workers)
            throws InterruptedException {
        return watch(situation, ProbeTarget.at(new HttpCallers(), writer, List.of(workers)));
    }

    /** The same of services that are called in another way. */
    public static LagNeverUnderReported watch(String situation, ProbeTarget target) throws InterruptedException {
        try {
            Probe probe = Probe.start(target, SETTINGS, new SteadyClock());
            return new LagNeverUnderReported(situation, probe);
        } catch (CannotProbeException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes nothing for a while. */
    public void idle(boolean idle) {
        probe.pauseWrites(idle);
    }

    /** What was found so far. */
    public ProbeReport soFar() {
        return probe.report();
    }

    /** Waits until so many more numbers of each source were held against the truth, and so many more were given. */
    public void awaitJudged(long more, Source... sources) {
        ProbeReport before = probe.report();
        await().atMost(PATIENCE).pollInterval(STEP).untilAsserted(() -> {
            ProbeReport now = probe.report();
            for (Source source : sources) {
                assertThat(now.source(source).judged() - before.source(source).judged())
                        .as("%s: judged of %s", situation, source.label())
                        .isGreaterThanOrEqualTo(more);
            }
        });
    }

    /** Ends the watch; fails when any number was too small, or when some source was hardly judged. */
    public ProbeReport check(long least) throws InterruptedException {
        return check(least, EnumSet.allOf(Source.class));
    }

    /** The same where only those sources had something to say. */
    public ProbeReport check(long least, Set<Source> speaking) throws InterruptedException {
        ProbeReport report = probe.stop();
        RunTotals.lagJudged(report.judged());
        List<String> lines = ProbeText.render(report, Terminals.Recorded.pipe().terminal());
        String text = "Honesty, " + situation + ":\n  " + String.join("\n  ", lines);
        System.out.println(text);
        for (SourceReport source : report.sources()) {
            assertThat(source.underReported()).as(text).isZero();
        }
        for (Source source : speaking) {
            assertThat(report.source(source).judged())
                    .as("%s: judged of %s%n%s", situation, source.label(), text)
                    .isGreaterThanOrEqualTo(least);
        }
        return report;
    }

    @Override
    public void close() {
        probe.close();
    }
}
