package dev.tidemark.deploy.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The sample tables that ship with the product: a catalog, and one file of rows for each table. */
public record Samples(Path directory) {
    /** In the order in which the demo loads them. */
    public static final List<String> TABLES = List.of("customers", "movies", "tyre_loads", "tyre_speeds", "companies");

    public Path catalog() {
        return directory.resolve("catalog.yaml");
    }

    public Path rows(String table) {
        return directory.resolve(table + ".ndjson");
    }

    InputStream open(String table) {
        try {
            return Files.newInputStream(rows(table));
        } catch (IOException e) {
            throw new UncheckedIOException("Expected the sample " + rows(table) + ", but " + e, e);
        }
    }
}
