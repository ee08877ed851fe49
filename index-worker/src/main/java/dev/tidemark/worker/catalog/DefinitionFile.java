package dev.tidemark.worker.catalog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.PrivateFiles;

/**
 * The definitions that this worker followed last, in a file beside its shards. A worker that starts while the writer is
 * away continues with the definitions that its shards were built by. The file also holds the first meaning of bare
 * names. For one thread at a time.
 */
public record DefinitionFile(Path file) {
    private static final Logger LOGGER = LoggerFactory.getLogger(DefinitionFile.class);

    private static final String NAMES = "names";

    /** What the file holds. */
    record Kept(Definitions definitions, BareNames names) {}

    /** What was kept; empty when nothing was, or the file cannot be read. */
    Optional<Kept> load() {
        try {
            return Files.exists(file) ? Optional.of(read(Files.readAllBytes(file))) : Optional.empty();
        } catch (IOException | BadDefinitionsException | BadJsonException e) {
            LOGGER.warn(
                    "The definitions in {} cannot be read, and the writer is asked for them: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    private static Kept read(byte[] json) throws BadDefinitionsException, BadJsonException {
        Definitions definitions = DefinitionsJson.read(json);
        Map<String, String> names = new TreeMap<>();
        RowJson.parseEnvelope(json)
                .path(NAMES)
                .properties()
                .forEach(name -> names.put(name.getKey(), name.getValue().asText()));
        return new Kept(definitions, new BareNames(names).with(definitions.catalog()));
    }

    private static byte[] written(Definitions definitions, BareNames names) {
        ObjectNode json = DefinitionsJson.json(definitions);
        names.tables().forEach(json.putObject(NAMES)::put);
        return RowJson.write(json);
    }

    /**
     * Keeps definitions; they are on disk when this returns.
     *
     * @throws IOException when they may not be, and then what was kept before still is
     */
    void keep(Definitions definitions, BareNames names) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                beside, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(written(definitions, names));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        PrivateFiles.sync(file.toAbsolutePath().resolveSibling(""));
    }
}
