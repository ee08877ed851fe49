package dev.tidemark.deploy.observe;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PromqlNamesTest {
    @Test
    void findsSeriesAmongFunctionsLabelsAndOperators() {
        assertThat(PromqlNames.in("histogram_quantile(0.99, sum by (le, table) (rate(a_bucket{x=\"b{c}\",y=~'d'}[5m])))"
                        + " > on () group_left () (0.8 * t:c:limit) unless e offset 15m or f == +Inf or 1e9 * up"))
                .containsExactly("a_bucket", "e", "f", "t:c:limit", "up");
    }
}
