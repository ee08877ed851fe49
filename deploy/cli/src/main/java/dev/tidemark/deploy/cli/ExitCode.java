package dev.tidemark.deploy.cli;

/** What a command exits with; scripts rely on the numbers. */
public final class ExitCode {
    /** The command did what it was asked to do. */
    public static final int DONE = 0;

    /** The command ran, and the result is a failure or a difference. */
    public static final int FAILED = 1;

    /** The arguments are wrong, and nothing was started. */
    public static final int WRONG_USAGE = 2;

    private ExitCode() {}
}
