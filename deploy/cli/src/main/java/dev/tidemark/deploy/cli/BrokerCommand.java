package dev.tidemark.deploy.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackListener;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;

/** The local broker alone. */
@Command(
        name = "broker",
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
final class BrokerCommand implements Callable<Integer> {
    private static final String DATA_DIR = "data.dir";
    private static final String PORT = "port";

    private final ReadinessProbe probe;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Java properties.")
    private @Nullable Path config;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "One setting; may be repeated.")
    private List<String> assignments = new ArrayList<>();

    BrokerCommand(ReadinessProbe probe, Terminal terminal) {
        this.probe = probe;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws StackException, InterruptedException {
        StackSettings settings = settings();
        LocalStack broker =
                LocalStack.start(Installation.locate(), settings, EnumSet.of(Role.BROKER), probe, new StackListener() {
                    @Override
                    public void died(Role role, int exitCode, boolean restarting) {
                        terminal.complain("broker ended with exit code " + exitCode);
                        Runtime.getRuntime().halt(ExitCode.FAILED);
                    }
                });
        terminal.line("broker ready on " + broker.bootstrapServers());
        ServiceProcess.runUntilStopped(broker);
        return ExitCode.DONE;
    }

    private StackSettings settings() {
        ConfigDef definition = new ConfigDef()
                .define(DATA_DIR, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "Where data and log are kept.")
                .define(
                        PORT,
                        ConfigDef.Type.INT,
                        StackPorts.BROKER,
                        ConfigDef.Range.between(1, 65_535),
                        ConfigDef.Importance.HIGH,
                        "Port for clients.");
        try {
            AbstractConfig read = new SettingsReader("broker", definition)
                    .read(Optional.ofNullable(config), System.getenv(), assignments);
            Path data = Path.of(read.getString(DATA_DIR));
            StackPorts others = StackPorts.free();
            StackPorts ports = StackPorts.of(read.getInt(PORT), others.writer(), others.worker());
            StackSettings settings = StackSettings.of(data, data, ports);
            for (Map.Entry<String, Object> extra :
                    read.originalsWithPrefix(SettingsReader.KAFKA_PREFIX).entrySet()) {
                settings = settings.with(
                        Role.BROKER, extra.getKey(), extra.getValue().toString());
            }
            return settings;
        } catch (BadSettingsException e) {
            throw new CommandLine.ParameterException(
                    spec == null ? new CommandLine(this) : spec.commandLine(), e.getMessage());
        }
    }
}
