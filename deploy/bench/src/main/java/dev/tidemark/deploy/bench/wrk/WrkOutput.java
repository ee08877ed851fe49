package dev.tidemark.deploy.bench.wrk;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.tidemark.deploy.bench.BenchException;

/**
 * What wrk prints at its end.
 *
 * @param perSecond answers a second
 * @param p99Millis the 99th percentile of the time to an answer, in milliseconds
 */
public record WrkOutput(double perSecond, double p99Millis) {
    private static final Pattern RATE = Pattern.compile("(?m)^Requests/sec:\\s+(\\S+)");
    private static final Pattern P99 = Pattern.compile("(?m)^\\s+99%\\s+([0-9.]+)(us|ms|s|m)\\s*$");
    private static final Pattern FAILED = Pattern.compile("(?m)^\\s+(Non-2xx.*|Socket errors:.*)$");
    private static final Map<String, Double> MILLIS = Map.of("us", 1e-3, "ms", 1.0, "s", 1e3, "m", 6e4);

    /**
     * Reads it.
     *
     * @throws BenchException when something failed, or the text is not what wrk prints
     */
    static WrkOutput parse(String text) throws BenchException {
        Matcher failed = FAILED.matcher(text);
        if (failed.find()) {
            throw new BenchException("requests failed, as wrk reports: " + failed.group(1));
        }
        Matcher rate = RATE.matcher(text);
        Matcher p99 = P99.matcher(text);
        if (!rate.find() || !p99.find()) {
            throw new BenchException("expected what wrk prints at its end, but got: " + text.strip());
        }
        return new WrkOutput(
                Double.parseDouble(rate.group(1)),
                Double.parseDouble(p99.group(1)) * MILLIS.getOrDefault(p99.group(2), 1.0));
    }
}
