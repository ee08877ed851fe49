package dev.tidemark.deploy.cli;

import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Runs a service in this process, its arguments passed through, {@code --help} as well. */
@Command(description = "Runs this service in the foreground; see its own --help.")
final class RunServiceCommand implements Runnable {
    private final ServiceEntry main;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    RunServiceCommand(ServiceEntry main) {
        this.main = main;
    }

    @Override
    public void run() {
        main.run(arguments.toArray(String[]::new));
    }
}
