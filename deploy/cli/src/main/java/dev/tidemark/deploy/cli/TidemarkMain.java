package dev.tidemark.deploy.cli;

import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;

import picocli.CommandLine;

import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

/** Entry point of the {@code tidemark} command. */
public final class TidemarkMain {
    private TidemarkMain() {}

    public static void main(String[] args) {
        System.exit(commandLine(Terminal.ofProcess(System.getenv()), TidemarkMain::atExit)
                .execute(args));
    }

    /** All commands that are on the class path, over HTTP. */
    static CommandLine commandLine(Terminal terminal, Consumer<Runnable> atExit) {
        HttpServices services = new HttpServices();
        return Tidemark.commandLine(
                new CommandContext(services, services, terminal, atExit),
                List.of(WriterMain.command(), WorkerMain.command()),
                ServiceLoader.load(CommandProvider.class));
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "at-exit"));
    }
}
