package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.tidemark.deploy.backup.BackupException;
import dev.tidemark.deploy.backup.Restore;
import dev.tidemark.deploy.text.Terminal;

/** Puts a copy back. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = "Puts a backup back into the data directory of a stopped stack.",
        footer = {
            "",
            "Refuses a backup that is damaged or incomplete, and a place where something is: move DIR/writer/facts",
            "and DIR/worker/shards aside first, and leave the rest of DIR as it is.",
            "",
            "When the writer starts again it notices that its tables went back in time, begins another epoch, and",
            "commits every row once more, so that the indexes follow; tokens from before are refused.",
            "",
            "Example:",
            "  tidemark restore --from /backups/monday --data ./data"
        })
final class RestoreCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--from", paramLabel = "DIR", required = true, description = "What tidemark backup had as --to.")
    private Path from = Path.of("backup");

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "What tidemark stack has as --data.")
    private Path data = Path.of("data");

    RestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws BackupException, IOException {
        for (Path restored : Restore.run(from, data)) {
            terminal.line("put back " + restored);
        }
        return ExitCode.DONE;
    }
}
