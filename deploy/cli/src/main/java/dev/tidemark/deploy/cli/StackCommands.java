package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.demo.Demo;
import dev.tidemark.deploy.demo.DemoCheck;
import dev.tidemark.deploy.demo.Samples;
import dev.tidemark.deploy.faststart.FastStart;
import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.BadInputException;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.settings.SettingsReader;

/** Commands that run child processes of this machine: all of them, on the samples or not, or only the broker. */
final class StackCommands {
    // A worker is ready when it has caught up, which takes as long as there is something to catch up with.
    private static final Duration START_PATIENCE = Duration.ofMinutes(30);
    private static final int MOST_WORKERS = 32;
    private static final String DATA_DIR = "data.dir";
    private static final String PORT = "port";

    private StackCommands() {}

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Starts everything on this machine and shows what it does.",
                "Starts broker, writer and worker, loads the sample tables, shows queries and the lag while it writes,"
                        + " and checks every answer against a scan. Then keeps running, so that you can ask questions of"
                        + " your own."
            },
            footer = {
                "",
                "Examples:",
                "  tidemark demo",
                "  tidemark demo --once     check, say so, and end",
                "  tidemark demo --facts postgresql"
            })
    static int demo(
            @Mixin CommandContext context,
            @Option(names = "--once", description = "End after the checks: exit code 0 when all passed, 1 otherwise.")
                    boolean once,
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            description = "Keep everything there (default: a temporary one).")
                    @Nullable
                    Path data,
            @Mixin FactsOptions facts)
            throws StackException, ServiceException, BadSettingsException, InterruptedException {
        Terminal terminal = context.terminal();
        Installation installation = Installation.locate().requireBuilt();
        Samples samples = new Samples(installation.samples());
        DemoDirectory directory = DemoDirectory.at(data);
        context.atExit().accept(directory::removeAfterInterruption);
        StackPorts standard = StackPorts.standard();
        StackSettings settings = facts.in(StackSettings.of(
                directory.path(), samples.catalog(), standard.areFree() ? standard : StackPorts.free()));
        DemoScreen screen = new DemoScreen(terminal, settings);
        screen.opening();
        try (LocalStack stack = LocalStack.start(installation, settings, context.readiness(), screen)) {
            terminal.line();
            List<DemoCheck> checks = new Demo(
                            context.services().writer(stack.writerUrl()),
                            context.services().worker(stack.workerUrl()),
                            samples,
                            terminal,
                            new SteadyClock())
                    .run();
            boolean passed = screen.result(checks);
            if (!passed && directory.keep()) {
                terminal.line("  The logs are in " + directory.path() + ".");
            }
            if (!once) {
                screen.invitation(stack);
                ServiceProcess.runUntilStopped(directory.removedAfter(stack));
            }
            return passed ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (StackException | ServiceException | RuntimeException e) {
            if (!directory.keep()) {
                // Interrupted: that the children ended is what was asked for.
                return ExitCode.SOFTWARE;
            }
            terminal.complain("The logs are in " + directory.path() + ".");
            throw e;
        } finally {
            directory.remove();
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Runs broker, writers and workers on this machine.",
                "They run until SIGTERM or Ctrl-C. One line, ready, says that all are. Everything is kept in --data: a"
                        + " directory, a log file and a pid file for each, and endpoints.json with the URLs of all."
            },
            footer = {
                "",
                "The workers of a replica group share the partitions. Each group holds all of them, so that another",
                "answers when a worker of one is away. Groups are named a, b and so on. The workers are numbered from",
                "group a on: worker.pid, worker-2.pid and so on.",
                "",
                "Several writers need fact tables that they share, in PostgreSQL. One of them commits; the others",
                "pass writes on to it, and one takes over when it is gone. With --facts postgresql, the server is a",
                "child as the others are. It has role and database tidemark; the password is in the file",
                "postgresql/password of DIR. Its programs are those that TIDEMARK_POSTGRESQL_BIN or PATH names, or",
                "else the newest ones in /usr/lib/postgresql, or else those that a checkout brings for Linux on",
                "x86-64.",
                "",
                "Examples:",
                "  tidemark stack --data ./data --catalog deploy/samples/catalog.yaml --restart",
                "  tidemark stack --data ./data --catalog catalog.yaml --workers 3 --replica-groups 2",
                "  tidemark stack --data ./data --catalog catalog.yaml --facts postgresql --writers 2"
            })
    static void stack(
            @Mixin CommandContext context,
            @Option(names = "--data", paramLabel = "DIR", required = true, description = "Where everything is kept.")
                    Path data,
            @Option(
                            names = "--catalog",
                            paramLabel = "FILE",
                            required = true,
                            description = "Tables and their indexes.")
                    Path catalog,
            @Option(
                            names = "--broker-port",
                            paramLabel = "P",
                            defaultValue = "" + StackPorts.BROKER,
                            description = "Port of the broker (default: ${DEFAULT-VALUE}).")
                    int brokerPort,
            @Option(
                            names = "--writer-port",
                            paramLabel = "P",
                            defaultValue = "" + StackPorts.WRITER,
                            description = "Port of the first writer (default: ${DEFAULT-VALUE}); others get free ones.")
                    int writerPort,
            @Option(
                            names = "--worker-port",
                            paramLabel = "P",
                            defaultValue = "" + StackPorts.WORKER,
                            description = "Port of the first worker (default: ${DEFAULT-VALUE}); others get free ones.")
                    int workerPort,
            @Option(
                            names = "--workers",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "Workers of each replica group (default: ${DEFAULT-VALUE}).")
                    int workers,
            @Option(
                            names = "--replica-groups",
                            paramLabel = "R",
                            defaultValue = "1",
                            description = "Replica groups (default: ${DEFAULT-VALUE}).")
                    int replicaGroups,
            @Option(
                            names = "--writers",
                            paramLabel = "W",
                            defaultValue = "1",
                            description = "Writers (default: ${DEFAULT-VALUE}).")
                    int writers,
            @Mixin FactsOptions facts,
            @Option(names = "--restart", description = "Start a child that died again.") boolean restart)
            throws StackException, BadInputException, InterruptedException {
        requireCount("--writers", writers);
        requireCount("--workers", workers);
        requireCount("--replica-groups", replicaGroups);
        if (workers * replicaGroups > MOST_WORKERS) {
            throw new BadSettingsException("expected at most " + MOST_WORKERS + " workers in all, but got "
                    + replicaGroups + " replica groups of " + workers);
        }
        StackPorts ports = StackPorts.of(brokerPort, writerPort, workerPort);
        // Reads the catalog here as well, so that an error is reported at once and not only in a log.
        CatalogFile.read(catalog);
        StackSettings settings = facts.in(StackSettings.of(data, catalog, ports).withWorkers(workers, replicaGroups))
                .withRestart(restart)
                .withStartPatience(START_PATIENCE);
        if (writers > 1 && !settings.facts().isShared()) {
            throw new BadSettingsException("expected --facts postgresql for more than one writer, because with RocksDB"
                    + " each would have fact tables of its own");
        }
        LocalStack stack = LocalStack.start(
                Installation.locate(),
                settings.withWriters(writers),
                context.readiness(),
                new Reporter(context.terminal(), data));
        context.terminal().line("ready");
        ServiceProcess.runUntilStopped(stack);
    }

    private static void requireCount(String option, int count) throws BadSettingsException {
        if (count < 1 || count > MOST_WORKERS) {
            throw new BadSettingsException("expected " + option + " from 1 to " + MOST_WORKERS + ", but got " + count);
        }
    }

    /** Reports on standard error what happens to the children. */
    private record Reporter(Terminal terminal, Path data) implements StackListener {
        @Override
        public void up(ChildId child, String address, Duration took) {
            terminal.complain(child.label() + " is up on " + address + " after " + Amounts.duration(took));
        }

        @Override
        public void died(ChildId child, int exitCode, boolean restarting) {
            terminal.complain(child.label() + " ended with exit code " + exitCode + " (see "
                    + data.toAbsolutePath().normalize().resolve(child.label() + ".log") + "); "
                    + (restarting ? "starting it again" : "with --restart it would be started again"));
        }

        @Override
        public void restarted(ChildId child) {
            terminal.complain(child.label() + " was started again");
        }

        @Override
        public void notRestarted(ChildId child, String why) {
            terminal.complain(child.label() + " is not started again yet: " + why);
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Prepares this installation for its Java, so that processes start sooner.",
                "Runs a short stack on the sample tables, and keeps the classes that it loads in a form that the same Java"
                        + " takes over as it is. Another Java, or the installation at another place, starts without them."
                        + " A checkout is prepared by its build."
            },
            footer = {"", "Example:", "  tidemark faststart"})
    static void faststart(@Mixin CommandContext context) throws StackException, InterruptedException {
        Installation installation = Installation.locate().requireBuilt();
        context.terminal().complain("preparing " + installation.home() + ", which may take a minute");
        try {
            new FastStart(installation).prepare();
        } catch (IOException e) {
            throw new StackException("processes will start more slowly: " + e.getMessage());
        }
        context.terminal().complain("prepared");
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Runs a Kafka broker in the foreground.",
                "One node for development, on the loopback address, without replication."
            },
            footer = {
                "",
                "Settings (file: Java properties, environment: TIDEMARK_BROKER_…, --set; the last one counts):",
                "  data.dir   where it keeps its data and log; required",
                "  port       for clients; default 9092",
                "  kafka.*    any setting of Kafka's broker, without the prefix",
                "",
                "Example:",
                "  tidemark broker --set data.dir=./broker --set kafka.log.retention.hours=24"
            })
    static void broker(
            @Mixin CommandContext context,
            @Option(names = "--config", paramLabel = "FILE", description = "Java properties.") Optional<Path> config,
            @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One setting; may be repeated.") @Nullable
                    List<String> assignments)
            throws StackException, BadSettingsException, InterruptedException {
        Terminal terminal = context.terminal();
        StackSettings settings = brokerSettings(config, assignments == null ? List.of() : assignments);
        StackListener listener = new StackListener() {
            @Override
            public void died(ChildId child, int exitCode, boolean restarting) {
                terminal.complain("broker ended with exit code " + exitCode);
                Runtime.getRuntime().halt(ExitCode.SOFTWARE);
            }
        };
        LocalStack broker = LocalStack.start(
                Installation.locate(), settings, EnumSet.of(Role.BROKER), context.readiness(), listener);
        terminal.line("broker ready on " + broker.bootstrapServers());
        ServiceProcess.runUntilStopped(broker);
    }

    private static StackSettings brokerSettings(Optional<Path> config, List<String> assignments)
            throws BadSettingsException {
        ConfigDef definition = new ConfigDef()
                .define(DATA_DIR, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "Where data and log are kept.")
                .define(
                        PORT,
                        ConfigDef.Type.INT,
                        StackPorts.BROKER,
                        ConfigDef.Range.between(1, 65_535),
                        ConfigDef.Importance.HIGH,
                        "Port for clients.");
        AbstractConfig read = new SettingsReader("broker", definition).read(config, System.getenv(), assignments);
        Path data = Path.of(read.getString(DATA_DIR));
        StackSettings settings = StackSettings.of(data, data, StackPorts.withBroker(read.getInt(PORT)));
        for (Map.Entry<String, Object> extra :
                read.originalsWithPrefix(SettingsReader.KAFKA_PREFIX).entrySet()) {
            settings =
                    settings.with(Role.BROKER, extra.getKey(), extra.getValue().toString());
        }
        return settings;
    }
}
