package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

import picocli.CommandLine;

import dev.tidemark.deploy.text.Terminal;

/** Writes the manual pages and the scripts for shells that a release has in {@code share}; run by the build. */
public final class ManualMain {
    private ManualMain() {}

    /**
     * Takes a directory, and the date of the release.
     *
     * @throws IOException when a file cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        CommandLine tidemark = TidemarkMain.commandLine(Terminal.plain(nowhere, nowhere), work -> {});
        write(Path.of(arguments[0]), arguments[1], tidemark);
    }

    private static void write(Path share, String date, CommandLine tidemark) throws IOException {
        write(share.resolve("bash-completion/completions/tidemark"), CompletionCommand.Shell.BASH.script(tidemark));
        write(share.resolve("zsh/vendor-completions/_tidemark"), CompletionCommand.Shell.ZSH.script(tidemark));
        writePages(Files.createDirectories(share.resolve("man/man1")), date, tidemark);
    }

    private static void writePages(Path directory, String date, CommandLine command) throws IOException {
        ManPage page = new ManPage(command, date);
        write(directory.resolve(page.name() + ".1"), String.join("\n", page.lines()) + "\n");
        for (CommandLine below : command.getSubcommands().values()) {
            writePages(directory, date, below);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
