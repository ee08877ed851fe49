package dev.tidemark.deploy.stack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

import dev.tidemark.row.RowJson;

/**
 * Where clients reach a stack, in a file for programs that is there while the stack is ready.
 *
 * @param facts where the writers keep the fact tables
 */
public record Endpoints(String broker, List<URI> writers, List<URI> workers, String facts) {
    public static final String FILE = "endpoints.json";

    public Endpoints {
        writers = List.copyOf(writers);
        workers = List.copyOf(workers);
    }

    /** Writes the file; it is there whole or not at all. */
    void write(Path directory) throws IOException {
        Path unfinished = directory.resolve("." + FILE);
        Files.write(unfinished, RowJson.mapper().writeValueAsBytes(this));
        Files.move(
                unfinished,
                directory.resolve(FILE),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
