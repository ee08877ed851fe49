package dev.tidemark.deploy.bench;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class WrkOutputTest {
    /** Of wrk 4.1.0. */
    private static final String PRINTED = """
            Running 1s test @ http://127.0.0.1:18999/
              1 threads and 4 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency     2.02ms  646.43us   7.08ms   72.38%
                Req/Sec     1.94k   157.66     2.18k    54.55%
              Latency Distribution
                 50%    1.95ms
                 75%    2.38ms
                 90%    2.81ms
                 99%    3.84ms
              2120 requests in 1.10s, 708.20KB read
            Requests/sec:   1928.30
            Transfer/sec:    644.16KB
            """;

    @Test
    void readsTheRateAndThe99thPercentile() throws Exception {
        WrkTool.WrkOutput output = WrkTool.WrkOutput.parse(PRINTED);

        assertThat(output.perSecond()).isEqualTo(1928.30);
        assertThat(output.p99Millis()).isEqualTo(3.84);
    }

    @Test
    void knowsTheUnitsOfTimes() throws Exception {
        assertThat(WrkTool.WrkOutput.parse(PRINTED.replaceAll("99% .*", "99%  640.00us"))
                        .p99Millis())
                .isEqualTo(0.64);
        assertThat(WrkTool.WrkOutput.parse(PRINTED.replaceAll("99% .*", "99%    1.25s"))
                        .p99Millis())
                .isEqualTo(1_250);
    }

    @Test
    void anAnswerThatIsNoneFailsTheRound() {
        assertThatThrownBy(() -> WrkTool.WrkOutput.parse(PRINTED + "  Non-2xx or 3xx responses: 2426\n"))
                .isInstanceOf(BenchException.class)
                .hasMessageContaining("responses: 2426");
        assertThatThrownBy(() ->
                        WrkTool.WrkOutput.parse(PRINTED + "  Socket errors: connect 0, read 0, write 0, timeout 3\n"))
                .hasMessageContaining("timeout 3");
        assertThatThrownBy(() -> WrkTool.WrkOutput.parse("unable to connect\n"))
                .hasMessageContaining("unable to connect");
    }
}
