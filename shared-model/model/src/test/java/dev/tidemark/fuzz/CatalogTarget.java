package dev.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;

/** A catalog file, and definitions as they travel. */
public final class CatalogTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) throws BadDefinitionsException {
        try {
            Definitions first = Definitions.first(
                    CatalogReader.read("fuzz", new String(input, StandardCharsets.UTF_8)), Instant.EPOCH);
            byte[] json = DefinitionsJson.write(first);
            FuzzTarget.require(
                    DefinitionsJson.read(json).diff(first.catalog()).isEmpty(),
                    "the same after it travelled: " + first);
        } catch (CatalogException e) {
            FuzzTarget.require(e.getMessage() != null, "a message");
        }
        try {
            Definitions travelled = DefinitionsJson.read(input);
            DefinitionsJson.read(DefinitionsJson.write(travelled));
        } catch (BadDefinitionsException e) {
            FuzzTarget.require(!e.getMessage().isEmpty(), "a message");
        }
    }
}
