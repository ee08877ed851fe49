package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Settings as a package has them, below a directory of a test. */
record Installed(Path directory) {
    private static final String CATALOG =
            "tables: { people: { primaryKey: id, partitions: 2, indexes: { by_town: { key: [town] } } } }\n";

    /** The file of a writer with these lines more. */
    Path writer(String... more) throws IOException {
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), CATALOG);
        return file("writer", "catalog.file=" + catalog + "\n" + String.join("\n", more));
    }

    /** The file of a worker with these lines more. */
    Path worker(String... more) throws IOException {
        return file("worker", String.join("\n", more));
    }

    ServiceSettings writerSettings(String... more) throws IOException {
        return SettingsCheck.ofWriter(values -> {}, new Findings())
                .read(Optional.of(writer(more)), Map.of())
                .orElseThrow();
    }

    ServiceSettings workerSettings(String... more) throws IOException {
        return SettingsCheck.ofWorker(values -> {}, new Findings())
                .read(Optional.of(worker(more)), Map.of())
                .orElseThrow();
    }

    private Path file(String service, String lines) throws IOException {
        String data = "data.dir=" + directory.resolve("data-" + service) + "\n";
        return Files.writeString(directory.resolve(service + ".properties"), data + lines + "\n");
    }
}
