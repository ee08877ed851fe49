package dev.tidemark.worker.http;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.IndexOrder;
import dev.tidemark.catalog.IndexPlan;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.build.Retirement;

/** Orders of the writer, which keeps the definitions. */
public final class WriterRetirement implements Retirement {
    private final CatalogClient writer;

    public WriterRetirement(CatalogClient writer) {
        this.writer = writer;
    }

    @Override
    public boolean retire(IndexPlan index, long version) throws InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("order", IndexOrder.Kind.RETIRE.label());
        order.put("table", index.current().definition().table());
        order.put("index", index.name());
        return writer.order(order, version).isPresent();
    }
}
