package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.probe.CannotProbeException;
import dev.tidemark.deploy.probe.NoAnswerException;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeSettings;
import dev.tidemark.deploy.probe.ProbeTargets;
import dev.tidemark.deploy.probe.ReportJson;
import dev.tidemark.deploy.text.ProbeText;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.runtime.Waiting;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** The outside prober. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description = {
            "Checks from outside whether the lag that is reported is true.",
            "Writes a row of its own into each partition of a table, again and again, asks the index for them, and"
                    + " compares how stale the index really is with what answers, lag summary and metrics say. Deletes"
                    + " its rows at the end."
        },
        footer = {
            "",
            "too small  reported less than the real staleness by more than the tolerance; must be 0",
            "unknown    said so, which is honest",
            "- true     reported minus real staleness",
            "visible    time from acknowledgement to the first answer with the change",
            "",
            "Examples:",
            "  tidemark probe",
            "  tidemark probe --duration 5m --json",
            "  tidemark probe --table customers --index by_town",
            "",
            "Exit code 1 when any number was too small, or when nothing could be judged."
        })
final class ProbeCommand implements Callable<Integer> {
    private static final Duration STEP = Duration.ofMillis(200);
    private static final String START_OF_LINE = "\r\u001b[K";

    private final ProbeTargets targets;
    private final Terminal terminal;
    private final Clock clock = new SteadyClock();

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            defaultValue = ProbeSettings.TABLE,
            description = "Table to write into (default: ${DEFAULT-VALUE}).")
    private String table = ProbeSettings.TABLE;

    @Option(
            names = "--index",
            paramLabel = "INDEX",
            defaultValue = "",
            description = "Index of that table to ask (default: its first).")
    private String index = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long (default: ${DEFAULT-VALUE}).")
    private String duration = "30s";

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "100ms",
            description = "Between two writes of a row, and two samples (default: ${DEFAULT-VALUE}).")
    private String interval = "100ms";

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            description = "How much too small a number may be (default: the interval).")
    private @Nullable String tolerance;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    ProbeCommand(ProbeTargets targets, Terminal terminal) {
        this.targets = targets;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        Duration howLong = time("--duration", duration);
        ProbeSettings settings = settings();
        ProbeReport report = run(settings, howLong);
        if (json) {
            terminal.line(ReportJson.of(report).toString());
        } else {
            terminal.lines(ProbeText.render(report, terminal));
        }
        return report.isHonest() ? 0 : Tidemark.FAILED;
    }

    private ProbeReport run(ProbeSettings settings, Duration howLong) throws ServiceException, InterruptedException {
        try (Probe probe = Probe.start(targets.at(options.writer, options.worker, Probe.PATIENCE), settings, clock)) {
            Instant end = clock.instant().plus(howLong);
            while (clock.instant().isBefore(end)) {
                Duration left = Duration.between(clock.instant(), end);
                Waiting.rest(left.compareTo(STEP) < 0 ? left : STEP);
                show(START_OF_LINE + ProbeText.progress(probe.report()));
            }
            show(START_OF_LINE);
            return probe.stop();
        } catch (CannotProbeException | NoAnswerException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }

    private void show(String text) {
        if (terminal.errInteractive()) {
            terminal.err().print(text);
            terminal.err().flush();
        }
    }

    private ProbeSettings settings() {
        Duration every = time("--interval", interval);
        Duration tolerated = tolerance == null ? every : time("--tolerance", tolerance);
        try {
            return new ProbeSettings(table, index, every, tolerated);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private Duration time(String option, String text) {
        try {
            return Durations.parse(text);
        } catch (BadSettingsException e) {
            throw wrong(option + ": " + e.getMessage());
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec == null ? new CommandLine(this) : spec.commandLine(), message);
    }
}
