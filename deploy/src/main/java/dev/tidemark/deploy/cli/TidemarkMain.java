package dev.tidemark.deploy.cli;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.tidemark.deploy.http.HttpProbeTarget;
import dev.tidemark.deploy.http.HttpServices;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

/** Entry point of the {@code tidemark} command. */
public final class TidemarkMain {
    private TidemarkMain() {}

    public static void main(String[] args) {
        HttpServices services = new HttpServices();
        Terminal terminal = Terminal.ofProcess(System.getenv());
        Map<String, RunServiceCommand.Entry> mains = new LinkedHashMap<>();
        mains.put("writer", WriterMain::main);
        mains.put("worker", WorkerMain::main);
        System.exit(Tidemark.commandLine(services, HttpProbeTarget::at, services, terminal, mains, TidemarkMain::atExit)
                .execute(args));
    }

    private static void atExit(Runnable work) {
        Runtime.getRuntime().addShutdownHook(new Thread(work, "at-exit"));
    }
}
