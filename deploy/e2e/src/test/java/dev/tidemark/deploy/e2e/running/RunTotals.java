package dev.tidemark.deploy.e2e.running;

import java.util.concurrent.atomic.LongAdder;

/** What the end-to-end tests of one run have done, all together. For any thread. */
public final class RunTotals {
    private static final LongAdder KILLS = new LongAdder();
    private static final LongAdder LAG_STATEMENTS = new LongAdder();

    private RunTotals() {}

    /** Broker, writer or worker ended by SIGKILL so often more, while a real broker ran. */
    public static void killed(long times) {
        KILLS.add(times);
    }

    /** So many more statements about lag were held against the truth. */
    public static void lagJudged(long statements) {
        LAG_STATEMENTS.add(statements);
    }

    public static long kills() {
        return KILLS.sum();
    }

    public static long lagStatements() {
        return LAG_STATEMENTS.sum();
    }
}
