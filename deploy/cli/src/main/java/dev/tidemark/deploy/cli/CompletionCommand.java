package dev.tidemark.deploy.cli;

import java.util.Locale;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what completes commands, options and their values in a shell. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints the script that completes commands and options in a shell.",
        footer = {
            "",
            "The Debian package installs the scripts. For zsh, the directory must be one of $fpath.",
            "",
            "Examples:",
            "  tidemark completion bash > ~/.local/share/bash-completion/completions/tidemark",
            "  tidemark completion zsh > ~/.zfunc/_tidemark"
        })
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.BASH;

    /** A shell, and how it takes the script that picocli writes for bash. */
    enum Shell {
        BASH("%s"),
        /**
         * Zsh takes the file as the body of a function. The first call registers the real function, and has to complete
         * as well. In a body, zsh does not replace compopt, which it lacks, by the alias that the script has for it.
         */
        ZSH("""
                #compdef tidemark
                functions[compopt]=:
                %s
                if [ "${funcstack[1]}" = _tidemark ]; then _bash_complete -o default -F _complete_tidemark; fi
                """);

        private final String form;

        Shell(String form) {
            this.form = form;
        }

        /** The script for a command line with all its subcommands. */
        String script(CommandLine tidemark) {
            return form.formatted(AutoComplete.bash(tidemark.getCommandName(), tidemark));
        }

        /** As users write it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public void run() {
        spec.commandLine().getOut().print(shell.script(spec.root().commandLine()));
        spec.commandLine().getOut().flush();
    }
}
