package dev.tidemark.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/** The name that exists and is nearest to one that does not. */
public final class NearestName {
    private NearestName() {}

    /** The one with the fewest letters to insert, delete or replace; empty where half of the name would be another. */
    public static Optional<String> of(String written, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(written, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(written, name) * 2 <= Math.max(written.length(), name.length()));
    }

    /** Levenshtein's distance, row by row. */
    private static int distance(String a, String b) {
        int[] row = IntStream.rangeClosed(0, b.length()).toArray();
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
