package dev.tidemark.worker.http;

import java.time.Clock;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.http.ProblemException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.backfill.GenerationCleanup;
import dev.tidemark.worker.catalog.WriterDefinitions;
import dev.tidemark.worker.catalog.WriterUnavailableException;

/** Definitions at the writer, for one thread, which no request keeps from its turn. */
public final class WriterCatalog implements WriterDefinitions, GenerationCleanup {
    private final CatalogClient writer;
    private final MemoryBudget.Part memory;

    /**
     * A client of the writer.
     *
     * @param memory to read definitions into
     */
    public WriterCatalog(ServiceConnection writer, MemoryBudget.Part memory, Clock clock) {
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

    @Override
    public boolean retire(DesiredIndex index, long version) throws InterruptedException {
        // An order is answered in a few bytes.
        try (WriterCallLimit.Turn turn = writer.turn(bytes -> {})) {
            return writer.order(IndexOperation.Kind.RETIRE, index, version, turn)
                    .isPresent();
        }
    }
}
