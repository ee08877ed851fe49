package dev.tidemark.settings;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParseResult;

/**
 * Runs a command, which fails with exit code 1 where its output could not be written. Streams for printing keep such an
 * error to themselves, so a file on a full disk would look complete.
 */
public final class CheckedOutput implements CommandLine.IExecutionStrategy {
    @Override
    public int execute(ParseResult parsed) {
        int code = new CommandLine.RunLast().execute(parsed);
        CommandLine command = parsed.commandSpec().commandLine();
        if (code != ExitCode.OK || !command.getOut().checkError()) {
            return code;
        }
        command.getErr()
                .println(command.getCommandName()
                        + ": the output could not be written; its disk is full, or its reader has ended");
        return ExitCode.SOFTWARE;
    }
}
