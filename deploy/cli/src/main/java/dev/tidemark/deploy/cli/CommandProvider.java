package dev.tidemark.deploy.cli;

import java.util.List;

import picocli.CommandLine;

/**
 * Adds commands of another module to {@code tidemark}. {@link java.util.ServiceLoader} finds the providers on the class
 * path, so that a distribution without that module has a command line without its commands.
 */
@FunctionalInterface
public interface CommandProvider {
    /** The commands, in the order in which the help lists them. */
    List<CommandLine> commands(CommandContext context);
}
