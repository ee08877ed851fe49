package dev.tidemark.deploy.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What is wrong with the entries of an index, as sentences. */
public final class Differences {
    private static final int SHOWN = 25;

    private Differences() {}

    /** Nothing when the entries found are the expected ones in the expected order; of many differences, the first. */
    public static List<String> between(String index, List<String> expected, List<String> found) {
        if (expected.equals(found)) {
            return List.of();
        }
        Map<String, Integer> balance = new HashMap<>();
        expected.forEach(entry -> balance.merge(entry, 1, Integer::sum));
        found.forEach(entry -> balance.merge(entry, -1, Integer::sum));
        balance.values().removeIf(count -> count == 0);
        List<String> complaints = new ArrayList<>();
        complaints.add(index + ": " + found.size() + " entries instead of " + expected.size());
        balance.forEach((entry, count) -> {
            if (complaints.size() < SHOWN) {
                complaints.add(index + (count > 0 ? " lacks " : " has too many of ") + entry);
            }
        });
        if (balance.isEmpty()) {
            int at = 0;
            while (expected.get(at).equals(found.get(at))) {
                at++;
            }
            complaints.add(index + " is out of order at " + at + ": " + found.get(at) + " stands where "
                    + expected.get(at) + " should");
        }
        return complaints;
    }
}
