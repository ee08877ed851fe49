package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.demo.Check;
import dev.tidemark.deploy.demo.Demo;
import dev.tidemark.deploy.demo.Samples;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;

/** The whole of it on this machine, with the sample tables. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Starts everything on this machine and shows what it does.",
            "Starts broker, writer and worker, loads the sample tables, shows queries and the lag while it writes, and"
                    + " checks every answer against a scan. Then keeps running, so that you can ask questions of your own."
        },
        footer = {"", "Examples:", "  tidemark demo", "  tidemark demo --once     check, say so, and end"})
final class DemoCommand implements Callable<Integer> {
    private final Services services;
    private final ReadinessProbe probe;
    private final Terminal terminal;

    @Option(names = "--once", description = "End after the checks: exit code 0 when all passed, 1 otherwise.")
    private boolean once;

    @Option(names = "--data", paramLabel = "DIR", description = "Keep everything there (default: a temporary one).")
    private @Nullable Path data;

    DemoCommand(Services services, ReadinessProbe probe, Terminal terminal) {
        this.services = services;
        this.probe = probe;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws StackException, ServiceException, InterruptedException {
        Installation installation = Installation.locate();
        Samples samples = new Samples(installation.samples());
        Path directory = data == null ? temporary() : data;
        StackPorts standard = StackPorts.standard();
        StackSettings settings =
                StackSettings.of(directory, samples.catalog(), standard.areFree() ? standard : StackPorts.free());
        DemoScreen screen = new DemoScreen(terminal, settings);
        screen.opening();
        boolean passed = false;
        try (LocalStack stack = LocalStack.start(installation, settings, probe, screen)) {
            terminal.line();
            List<Check> checks = new Demo(
                            services.writer(stack.writerUrl()),
                            services.worker(stack.workerUrl()),
                            samples,
                            terminal,
                            new SteadyClock())
                    .run();
            passed = screen.result(checks);
            if (!once) {
                screen.invitation(stack);
                ServiceProcess.runUntilStopped(() -> end(stack, directory));
            }
        } finally {
            if (passed) {
                removeTemporary(directory);
            } else {
                terminal.complain("What happened is in the logs in " + directory + ".");
            }
        }
        return passed ? 0 : Tidemark.FAILED;
    }

    private void end(LocalStack stack, Path directory) {
        terminal.line(terminal.tinted("Ending.", Tint.DIM));
        stack.close();
        removeTemporary(directory);
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("tidemark-demo-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void removeTemporary(Path directory) {
        if (data != null) {
            return;
        }
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            terminal.complain("could not remove " + directory + ": " + e.getMessage());
        }
    }
}
