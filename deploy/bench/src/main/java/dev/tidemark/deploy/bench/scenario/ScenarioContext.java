package dev.tidemark.deploy.bench.scenario;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.TidemarkTable;

/**
 * Where a scenario runs.
 *
 * @param stack running; Tidemark's
 */
public record ScenarioContext(BenchStack stack, ScenarioSize size) {
    /** Tidemark's table. */
    public TidemarkTable table() {
        return stack.table();
    }

    /** Tidemark's table with all rows of the size in its index. */
    public TidemarkTable filledTable() throws BenchException, InterruptedException {
        TidemarkTable table = table();
        table.load(CustomerRow.table(size.rows()));
        return table;
    }
}
