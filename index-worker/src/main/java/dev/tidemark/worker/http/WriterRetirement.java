package dev.tidemark.worker.http;

import java.time.Clock;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.IndexOrder;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.http.Peer;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.build.Retirement;

/** Orders of the writer, which keeps the definitions. */
public final class WriterRetirement implements Retirement {
    private final CatalogClient writer;

    /** Orders of one thread, which no request keeps from its turn. */
    public WriterRetirement(Peer writer, Clock clock) {
        this.writer = new CatalogClient(writer, new WriterTurns(1, clock));
    }

    @Override
    public boolean retire(IndexPlan index, long version) throws InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("order", IndexOrder.Kind.RETIRE.label());
        order.put("table", index.current().definition().table());
        order.put("index", index.name());
        // An order is answered in a few bytes.
        try (WriterTurns.Turn turn = writer.turn(bytes -> {})) {
            return writer.order(order, version, turn).isPresent();
        }
    }
}
