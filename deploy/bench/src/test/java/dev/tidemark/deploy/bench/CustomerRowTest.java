package dev.tidemark.deploy.bench;

import java.util.stream.LongStream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class CustomerRowTest {

    @Test
    void isTheSameForTheSameChange() {
        assertThat(CustomerRow.ofChange(4_711)).isEqualTo(CustomerRow.ofChange(4_711));
    }

    @Test
    void isARowOfAbout170Bytes() throws Exception {
        for (long change = 0; change < 1_000_000; change += 997) {
            CustomerRow customer = CustomerRow.ofChange(change);
            JsonNode row = RowJson.parse(customer.bytes());

            assertThat(row.path("customerId").asInt()).isEqualTo(customer.id()).isBetween(0, CustomerRow.CUSTOMERS - 1);
            assertThat(row.path("town").asText()).isEqualTo(customer.town());
            assertThat(customer.bytes()).hasSizeBetween(150, 190);
        }
    }

    @Test
    void reachesMostCustomersInAMillionChanges() {
        long reached = LongStream.range(0, 1_000_000)
                .map(change -> CustomerRow.ofChange(change).id())
                .distinct()
                .count();

        assertThat(reached).isGreaterThan(CustomerRow.CUSTOMERS * 98L / 100);
    }
}
