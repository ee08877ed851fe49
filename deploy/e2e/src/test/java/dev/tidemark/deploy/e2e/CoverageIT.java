package dev.tidemark.deploy.e2e;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import dev.tidemark.deploy.e2e.running.RunTotals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * That all end-to-end tests together did as much as is told of them. Runs after all others: what is isolated comes
 * last, in the order of the classes.
 */
@Isolated
@Order(Integer.MAX_VALUE)
class CoverageIT {
    private static final long KILLS = 20;
    private static final long LAG_STATEMENTS = 5_000;

    @Test
    void servicesWereKilledAndLagWasJudgedOftenEnough() {
        System.out.println("All together: " + RunTotals.kills() + " kills, " + RunTotals.lagStatements()
                + " statements about lag judged");
        assumeThat(System.getProperty("it.test")).as("all tests run").isNull();

        assertThat(RunTotals.kills()).isGreaterThanOrEqualTo(KILLS);
        assertThat(RunTotals.lagStatements()).isGreaterThanOrEqualTo(LAG_STATEMENTS);
    }
}
