package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.tidemark.deploy.stack.ChildProcess;

/** What a process has printed since it was last asked for, over all its lives. For one thread. */
final class FreshLog {
    private final ChildProcess process;
    private int read;

    FreshLog(ChildProcess process) {
        this.process = process;
    }

    /** What is new; empty where it has not printed anything yet. */
    String read() {
        Path file = process.spec().logFile();
        try {
            String all = Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
            String fresh = all.substring(Math.min(read, all.length()));
            read = all.length();
            return fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
