package dev.tidemark.worker.define;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;

/**
 * The definitions that this worker followed last, in a file beside its shards: a worker that is started while the writer is away
 * goes on with what its shards were built by. For one thread at a time.
 */
public final class DefinitionFile {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionFile.class);

    private final Path file;

    public DefinitionFile(Path file) {
        this.file = file;
    }

    /** What was kept; empty when nothing was, or the file cannot be read. */
    public Optional<Definitions> load() {
        try {
            return Files.exists(file) ? Optional.of(DefinitionsJson.read(Files.readAllBytes(file))) : Optional.empty();
        } catch (IOException | BadDefinitionsException e) {
            LOGGER.warn(
                    "The definitions in {} cannot be read, and the writer is asked for them: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Keeps definitions; they are on disk when this returns.
     *
     * @throws IOException when they may not be, and then what was kept before still is
     */
    public void keep(Definitions definitions) throws IOException {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(DefinitionsJson.write(definitions));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
