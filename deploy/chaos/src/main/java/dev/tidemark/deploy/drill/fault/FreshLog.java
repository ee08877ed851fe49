package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.tidemark.deploy.stack.ChildProcess;

/** What a process has printed since it was last asked for, over all its lives. For one thread. */
final class FreshLog {
    private final ChildProcess process;
    private long read;

    FreshLog(ChildProcess process) {
        this.process = process;
    }

    /** What is new; empty where it has not printed anything yet. */
    String read() {
        Path file = process.spec().logFile();
        if (!Files.exists(file)) {
            return "";
        }
        try (InputStream log = Files.newInputStream(file)) {
            log.skipNBytes(read);
            byte[] fresh = log.readAllBytes();
            read += fresh.length;
            return new String(fresh, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
