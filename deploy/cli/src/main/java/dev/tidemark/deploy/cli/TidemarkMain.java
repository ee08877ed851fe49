package dev.tidemark.deploy.cli;

import java.util.List;
import java.util.ServiceLoader;

import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

/** Entry point of the {@code tidemark} command. */
public final class TidemarkMain {
    private TidemarkMain() {}

    public static void main(String[] args) {
        HttpServices services = new HttpServices();
        CommandContext context =
                new CommandContext(services, services, Terminal.ofProcess(System.getenv()), TidemarkMain::atExit);
        System.exit(Tidemark.commandLine(
                        context,
                        List.of(WriterMain.command(), WorkerMain.command()),
                        ServiceLoader.load(CommandProvider.class))
                .execute(args));
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "at-exit"));
    }
}
