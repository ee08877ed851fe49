package dev.tidemark.deploy.chaos;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.cli.IdentityOptions;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.probe.Probe;
import dev.tidemark.deploy.probe.Probe.CannotProbeException;
import dev.tidemark.deploy.probe.Probe.ProbeSettings;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeTarget;
import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.SteadyClock;
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
            "allowed    how much too small a number of that source may be: its own sampling period",
            "too small  reported less than the real staleness by more than that; must be 0",
            "unknown    said so, which is honest",
            "not judged about a moment of which the truth is not known",
            "- true     reported minus real staleness",
            "visible    time from acknowledgement to the first answer with the change",
            "",
            "Examples:",
            "  tidemark probe",
            "  tidemark probe --duration 5m --json",
            "  tidemark probe --table customers --index by_town",
            "  tidemark probe --worker http://127.0.0.1:8082,http://127.0.0.1:8083",
            "  tidemark probe --metrics-port 9109       until Ctrl-C, watched by Prometheus",
            "",
            "Exit code 1 when any number was too small, or when nothing could be judged."
        })
final class ProbeCommand implements Callable<Integer> {
    private static final String USUAL_DURATION = "30s";
    private static final Duration FOR_EVER = Duration.ofDays(36_500);
    private static final Duration STEP = Duration.ofMillis(200);
    private static final String START_OF_LINE = "\r\u001b[K";

    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    private final ProbeTools tools;
    private final Terminal terminal;
    private final Consumer<Runnable> atExit;
    private final Clock clock = new SteadyClock();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--writer", paramLabel = "URL", description = "Where the writer is (default: ${DEFAULT-VALUE}).")
    private URI writer = URI.create("http://127.0.0.1:8081");

    @Option(
            names = "--worker",
            paramLabel = "URL",
            split = ",",
            defaultValue = "http://127.0.0.1:8082",
            description = "Where the index workers are: all of the group (default: ${DEFAULT-VALUE}).")
    private List<URI> workers = List.of(URI.create("http://127.0.0.1:8082"));

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    @Option(names = "--table", paramLabel = "TABLE", description = "Table to write into (default: ${DEFAULT-VALUE}).")
    private String table = ProbeSettings.TABLE;

    @Option(names = "--index", paramLabel = "INDEX", description = "Index of that table to ask (default: its first).")
    private String index = "";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "How long (default: " + USUAL_DURATION + "; with --metrics-port until Ctrl-C).")
    private @Nullable String duration;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            description = "Between two writes of a row, and two samples (default: ${DEFAULT-VALUE}).")
    private String interval = "100ms";

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            description = "How much too small a number may be, at least (default: the interval).")
    private @Nullable String tolerance;

    @Option(
            names = "--metrics-port",
            paramLabel = "P",
            description = "Port on which Prometheus may scrape what is found, meanwhile; 0 for any.")
    private @Nullable Integer metricsPort;

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    ProbeCommand(ProbeTools tools, Terminal terminal, Consumer<Runnable> atExit) {
        this.tools = tools;
        this.terminal = terminal;
        this.atExit = atExit;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        Duration howLong = howLong();
        ProbeSettings settings = settings();
        // Ctrl-C ends the run, and the report is still printed.
        atExit.accept(this::end);
        try {
            ProbeReport report = run(settings, howLong);
            if (json) {
                terminal.line(report.json().toString());
            } else {
                terminal.lines(ProbeText.render(report, terminal));
            }
            return report.isHonest() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } finally {
            ended.countDown();
        }
    }

    private ProbeReport run(ProbeSettings settings, Duration howLong) throws ServiceException, InterruptedException {
        ProbeTarget target = ProbeTarget.at(tools.callers(identity.identity()), writer, workers);
        try (Probe probe = Probe.start(target, settings, clock)) {
            Runnable end = metricsPort == null ? () -> {} : tools.show(metricsPort, probe::report);
            try {
                watch(probe, howLong);
                return probe.stop();
            } finally {
                end.run();
            }
        } catch (CannotProbeException | IOException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }

    private void watch(Probe probe, Duration howLong) throws InterruptedException {
        Instant begun = clock.instant();
        Duration left = howLong;
        while (left.compareTo(Duration.ZERO) > 0) {
            long step = Math.min(left.toMillis() + 1, STEP.toMillis());
            if (ending.await(step, TimeUnit.MILLISECONDS)) {
                break;
            }
            show(START_OF_LINE + ProbeText.progress(probe.report()));
            left = howLong.minus(Duration.between(begun, clock.instant()));
        }
        show(START_OF_LINE);
    }

    private void end() {
        ending.countDown();
        try {
            if (!ended.await(END_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                terminal.complain("tidemark: the prober did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show(String text) {
        if (terminal.errInteractive()) {
            terminal.err().print(text);
            terminal.err().flush();
        }
    }

    private Duration howLong() {
        if (duration != null) {
            return time("--duration", duration);
        }
        return metricsPort == null ? time("--duration", USUAL_DURATION) : FOR_EVER;
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

    /** What the prober needs of the outside. */
    interface ProbeTools {
        /**
         * Gives access to services.
         *
         * @param identity what is shown to them
         * @throws ServiceException when a file of the identity cannot be used
         */
        ServiceCallers callers(ClientIdentity identity) throws ServiceException;

        /**
         * Answers scrapes on a port of this machine.
         *
         * @param reports what was found so far
         * @return what ends it
         * @throws ServiceException when the port is taken
         */
        Runnable show(int port, Supplier<ProbeReport> reports) throws ServiceException;
    }
}
