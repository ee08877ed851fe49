package dev.tidemark.deploy.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs a service in this process, its arguments passed through, {@code --help} as well. */
@Command(description = "Runs this service in the foreground; see its own --help.")
final class RunServiceCommand implements Runnable {
    private final Consumer<String[]> main;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    RunServiceCommand(Consumer<String[]> main) {
        this.main = main;
    }

    @Override
    public void run() {
        main.accept(arguments.toArray(String[]::new));
    }
}
