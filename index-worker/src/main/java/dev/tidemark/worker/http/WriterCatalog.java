package dev.tidemark.worker.http;

import java.time.Clock;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.http.Peer;
import dev.tidemark.http.ProblemException;
import dev.tidemark.worker.define.WriterDefinitions;
import dev.tidemark.worker.define.WriterSilentException;

/** Asks the writer service which definitions are in force. */
public final class WriterCatalog implements WriterDefinitions {
    private final CatalogClient writer;

    /** Questions of one thread, which no request keeps from its turn. */
    public WriterCatalog(Peer writer, Clock clock) {
        this.writer = new CatalogClient(writer, new WriterTurns(1, clock));
    }

    @Override
    public Definitions ask() throws WriterSilentException, InterruptedException {
        try (WriterTurns.Turn turn = writer.turn()) {
            return writer.definitions(turn);
        } catch (ProblemException e) {
            throw new WriterSilentException(e.problem().detail(), e);
        }
    }
}
