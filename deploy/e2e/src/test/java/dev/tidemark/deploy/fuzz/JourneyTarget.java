package dev.tidemark.deploy.fuzz;

import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

/** A row on its whole way, with a disk in memory. */
final class JourneyTarget implements FuzzTarget {
    private final RowJourney journey;

    JourneyTarget() throws Exception {
        journey = new RowJourney(WriterStores.on(new InMemoryDisk()));
    }

    @Override
    public void take(byte[] input) throws Exception {
        journey.travel(input);
    }
}
