package dev.tidemark.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import org.jspecify.annotations.Nullable;

import dev.tidemark.facts.FactStreamReader;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.facts.TornStreamException;

/** A stream of facts, as a worker gets it from what it takes for the writer. */
public final class FactStreamTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) throws IOException {
        int rows = 0;
        try (FactStreamReader reader = new FactStreamReader(new ByteArrayInputStream(input))) {
            @Nullable StreamedFact fact = reader.next();
            while (fact != null) {
                rows++;
                fact = reader.next();
            }
        } catch (TornStreamException e) {
            FuzzTarget.require(rows <= input.length, "no more rows than bytes");
        }
    }
}
