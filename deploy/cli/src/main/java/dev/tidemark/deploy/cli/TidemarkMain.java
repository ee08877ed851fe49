package dev.tidemark.deploy.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Consumer;

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
        Map<String, Consumer<String[]>> mains = new LinkedHashMap<>();
        mains.put("writer", WriterMain::main);
        mains.put("worker", WorkerMain::main);
        System.exit(Tidemark.commandLine(context, mains, ServiceLoader.load(CommandProvider.class))
                .execute(args));
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "at-exit"));
    }
}
