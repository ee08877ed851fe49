package dev.tidemark.deploy.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.demo.Demo;
import dev.tidemark.deploy.demo.DemoCheck;
import dev.tidemark.deploy.demo.Samples;
import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.StackException;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;
import dev.tidemark.deploy.text.Terminal;
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
    private final Consumer<Runnable> atExit;

    @Option(names = "--once", description = "End after the checks: exit code 0 when all passed, 1 otherwise.")
    private boolean once;

    @Option(names = "--data", paramLabel = "DIR", description = "Keep everything there (default: a temporary one).")
    private @Nullable Path data;

    /** Its work at the exit of the process is given to {@code atExit}. */
    DemoCommand(Services services, ReadinessProbe probe, Terminal terminal, Consumer<Runnable> atExit) {
        this.atExit = atExit;
        this.services = services;
        this.probe = probe;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws StackException, ServiceException, InterruptedException {
        Installation installation = Installation.locate().requireBuilt();
        Samples samples = new Samples(installation.samples());
        DemoDirectory directory = DemoDirectory.at(data);
        atExit.accept(directory::removeAfterInterruption);
        StackPorts standard = StackPorts.standard();
        StackSettings settings = StackSettings.of(
                directory.path(), samples.catalog(), standard.areFree() ? standard : StackPorts.free());
        DemoScreen screen = new DemoScreen(terminal, settings);
        screen.opening();
        try (LocalStack stack = LocalStack.start(installation, settings, probe, screen)) {
            terminal.line();
            List<DemoCheck> checks = demo(stack, samples).run();
            if (!screen.result(checks) && directory.keep()) {
                terminal.line("  The logs are in " + directory.path() + ".");
            }
            if (!once) {
                screen.invitation(stack);
                ServiceProcess.runUntilStopped(directory.removedAfter(stack));
            }
            return checks.stream().allMatch(DemoCheck::ok) ? ExitCode.DONE : ExitCode.FAILED;
        } catch (StackException | ServiceException | RuntimeException e) {
            if (!directory.keep()) {
                // Interrupted: that the children ended is what was asked for.
                return ExitCode.FAILED;
            }
            terminal.complain("The logs are in " + directory.path() + ".");
            throw e;
        } finally {
            directory.remove();
        }
    }

    private Demo demo(LocalStack stack, Samples samples) {
        return new Demo(
                services.writer(stack.writerUrl()),
                services.worker(stack.workerUrl()),
                samples,
                terminal,
                new SteadyClock());
    }
}
