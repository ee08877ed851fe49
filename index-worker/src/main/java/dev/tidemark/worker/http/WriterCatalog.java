package dev.tidemark.worker.http;

import java.time.Clock;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.catalog.WriterDefinitions;
import dev.tidemark.worker.catalog.WriterUnavailableException;

/** Asks the writer service which definitions are in force. */
public final class WriterCatalog implements WriterDefinitions {
    private final CatalogClient writer;
    private final MemoryBudget.Part memory;

    /**
     * Questions of one thread, which no request keeps from its turn.
     *
     * @param memory to read definitions into
     */
    public WriterCatalog(ServiceClient writer, MemoryBudget.Part memory, Clock clock) {
        this.memory = memory;
        this.writer = new CatalogClient(writer, new WriterCallLimit(1, clock));
    }

    @Override
    public Definitions ask() throws WriterUnavailableException, InterruptedException {
        try (MemoryBudget.Reservation held = memory.reserve(0);
                WriterCallLimit.Turn turn = writer.turn(CatalogClient.growing(held))) {
            return writer.definitions(turn);
        } catch (ProblemException e) {
            throw new WriterUnavailableException(e.problem().detail(), e);
        }
    }
}
