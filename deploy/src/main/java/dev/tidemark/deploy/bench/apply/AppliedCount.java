package dev.tidemark.deploy.bench.apply;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many changes a worker has applied since it began, from its metrics page. */
final class AppliedCount {
    private static final Pattern APPLIED = Pattern.compile("(?m)^tidemark_events_applied_total(?:\\{[^}]*})? (\\S+)");

    private AppliedCount() {}

    static long of(String page) {
        double sum = 0;
        for (Matcher found = APPLIED.matcher(page); found.find(); ) {
            sum += Double.parseDouble(found.group(1));
        }
        return (long) sum;
    }
}
