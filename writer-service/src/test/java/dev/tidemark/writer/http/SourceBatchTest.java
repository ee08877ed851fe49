package dev.tidemark.writer.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.TreeWeight;
import dev.tidemark.writer.commit.RowRules;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

class SourceBatchTest {
    @Test
    void aRowThatKeepsMembersIsCountedAsTheTreeThatItStays() throws Exception {
        RowRules rules = new RowRules(CUSTOMERS, List.of(), 1 << 20, 0);
        SourceBatch batch = new SourceBatch("shop", Map.of("customers", rules), true);
        ObjectNode row = json("{'customerId':1,'x':[{}" + ",{}".repeat(10_000) + "]}");

        batch.put(rules, row, List.of("text"));

        assertThat(batch.heldBytes()).isGreaterThan(TreeWeight.of(row));
        assertThat(batch.request(Optional.empty(), json("{}"), Optional.empty(), Optional.empty())
                        .heapBytes())
                .isGreaterThan(TreeWeight.of(row));
    }
}
