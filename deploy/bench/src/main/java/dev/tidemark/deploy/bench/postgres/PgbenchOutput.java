package dev.tidemark.deploy.bench.postgres;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.tidemark.deploy.bench.BenchException;

/** What pgbench prints at its end, and what it writes for each transaction. */
final class PgbenchOutput {
    private static final Pattern RATE = Pattern.compile("(?m)^tps = (\\S+) \\(without initial connection time\\)$");
    private static final Pattern FAILED = Pattern.compile("(?m)^number of failed transactions: ([1-9].*)$");
    /** Client, transaction, microseconds, script, and when it ended in seconds and microseconds. */
    private static final int MICROS = 2;

    private static final double PERCENTILE = 0.99;

    private PgbenchOutput() {}

    /**
     * Transactions a second.
     *
     * @throws BenchException when any failed, or the text is not what pgbench prints
     */
    static double perSecond(String text) throws BenchException {
        Matcher failed = FAILED.matcher(text);
        if (failed.find()) {
            throw new BenchException("transactions failed, as pgbench reports: " + failed.group(1));
        }
        Matcher rate = RATE.matcher(text);
        if (!rate.find()) {
            throw new BenchException("expected what pgbench prints at its end, but got: " + text.strip());
        }
        return Double.parseDouble(rate.group(1));
    }

    /** Returns the 99th percentile of the transactions in these lines, in milliseconds. */
    static double p99Millis(List<String> lines) throws BenchException {
        try {
            double[] micros = lines.stream()
                    .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[MICROS]))
                    .sorted()
                    .toArray();
            return micros[(int) Math.ceil(micros.length * PERCENTILE) - 1] / 1e3;
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new BenchException("expected the lines that pgbench writes for transactions, but got " + lines, e);
        }
    }
}
