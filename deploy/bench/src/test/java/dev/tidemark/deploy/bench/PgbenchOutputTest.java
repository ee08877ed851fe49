package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PgbenchOutputTest {
    /** Of pgbench 15. */
    private static final String PRINTED = """
            pgbench (15.18 (Debian 15.18-0+deb12u1))
            transaction type: put.sql
            scaling factor: 1
            query mode: prepared
            number of clients: 16
            number of threads: 1
            maximum number of tries: 1
            duration: 1 s
            number of transactions actually processed: 65334
            number of failed transactions: 0 (0.000%)
            latency average = 0.238 ms
            initial connection time = 32.457 ms
            tps = 67327.777474 (without initial connection time)
            """;

    @Test
    void readsTransactionsASecond() throws Exception {
        assertThat(PostgresBaselines.perSecond(PRINTED)).isEqualTo(67327.777474);
    }

    @Test
    void aTransactionThatFailedFailsTheRound() {
        assertThatThrownBy(() -> PostgresBaselines.perSecond(
                        PRINTED.replace("transactions: 0 (0.000%)", "transactions: 7 (0.1%)")))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("7 (0.1%)");
        assertThatThrownBy(() -> PostgresBaselines.perSecond("")).hasMessageContaining("expected");
    }

    @Test
    void takesThe99thPercentileFromTheThirdColumnOfTheLog() throws Exception {
        List<String> lines = IntStream.rangeClosed(1, 200)
                .mapToObj(i -> "6 " + i + " " + i * 1_000 + " 0 1795322140 508982")
                .toList();

        assertThat(PostgresBaselines.millis(lines, PostgresBaselines.P99)).isEqualTo(198);
        assertThatThrownBy(() -> PostgresBaselines.millis(List.of(), PostgresBaselines.P50))
                .isInstanceOf(BenchException.class);
    }
}
