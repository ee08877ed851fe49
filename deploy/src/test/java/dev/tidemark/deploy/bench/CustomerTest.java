package dev.tidemark.deploy.bench;

import java.util.stream.LongStream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class CustomerTest {

    @Test
    void isTheSameForTheSameChange() {
        assertThat(Customer.ofChange(4_711)).isEqualTo(Customer.ofChange(4_711));
    }

    @Test
    void isARowOfAbout170Bytes() throws Exception {
        for (long change = 0; change < 1_000_000; change += 997) {
            Customer customer = Customer.ofChange(change);
            JsonNode row = RowJson.parse(customer.bytes());

            assertThat(row.path("customerId").asInt()).isEqualTo(customer.id()).isBetween(0, Customer.CUSTOMERS - 1);
            assertThat(row.path("town").asText()).isEqualTo(customer.town());
            assertThat(customer.bytes()).hasSizeBetween(150, 190);
        }
    }

    @Test
    void reachesMostCustomersInAMillionChanges() {
        long reached = LongStream.range(0, 1_000_000)
                .map(change -> Customer.ofChange(change).id())
                .distinct()
                .count();

        assertThat(reached).isGreaterThan(Customer.CUSTOMERS * 98L / 100);
    }
}
