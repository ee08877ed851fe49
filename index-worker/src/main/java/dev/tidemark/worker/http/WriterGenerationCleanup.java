package dev.tidemark.worker.http;

import java.time.Clock;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.backfill.GenerationCleanup;

/** Orders of the writer, which keeps the definitions. */
public final class WriterGenerationCleanup implements GenerationCleanup {
    private final CatalogClient writer;

    /** Orders of one thread, which no request keeps from its turn. */
    public WriterGenerationCleanup(ServiceClient writer, Clock clock) {
        this.writer = new CatalogClient(writer, new WriterCallLimit(1, clock));
    }

    @Override
    public boolean retire(DesiredIndex index, long version) throws InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("order", IndexOperation.Kind.RETIRE.label());
        order.put("table", index.current().definition().table());
        order.put("index", index.name());
        // An order is answered in a few bytes.
        try (WriterCallLimit.Turn turn = writer.turn(bytes -> {})) {
            return writer.order(order, version, turn).isPresent();
        }
    }
}
