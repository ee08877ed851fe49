package dev.tidemark.worker.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.FieldValue;

/**
 * What is known of the keys that take most changes of an index.
 *
 * @param sampled the number of sampled changes of entries
 * @param values the number of different keys that were seen; a lower bound
 * @param times by key, how many of the sampled changes had it at least
 */
public record HeavyKeys(long sampled, int values, Map<KeyBytes, Long> times) {
    /** No change was sampled. */
    public static final HeavyKeys NONE = new HeavyKeys(0, 0, Map.of());

    private static final Comparator<Share> HEAVIEST_FIRST =
            Comparator.comparingDouble(Share::share).reversed().thenComparing(Share::key);

    /** A key with less cannot become heavy by what other workers know of it. */
    private static final double LIGHT = 0.01;

    public HeavyKeys {
        times = Map.copyOf(times);
    }

    /** A key and the part of the sampled changes that have it at least, 0 to 1. */
    public record Share(KeyBytes key, double share) {
        /** The values of the key; fewer than its parts where the key was cut. */
        public List<FieldValue> values(List<KeyPart> parts) {
            KeyReader reader = new KeyReader(key);
            List<FieldValue> values = new ArrayList<>();
            try {
                for (KeyPart part : parts) {
                    values.add(reader.next(part.order()));
                }
            } catch (MalformedKeyException e) {
                // Those before the cut are whole.
                return values;
            }
            return values;
        }
    }

    /** What a summary knows of a number of changes. */
    static HeavyKeys of(long sampled, List<SpaceSaving.Count> counts) {
        return new HeavyKeys(
                sampled,
                counts.size(),
                counts.stream().collect(Collectors.toMap(SpaceSaving.Count::key, SpaceSaving.Count::atLeast)));
    }

    /** Both together. Where one of them does not know a key, it counts as absent there, so shares stay lower bounds. */
    HeavyKeys plus(HeavyKeys other) {
        Map<KeyBytes, Long> sums = new HashMap<>(times);
        other.times.forEach((key, more) -> sums.merge(key, more, Long::sum));
        return new HeavyKeys(sampled + other.sampled, Math.max(values, other.values), sums);
    }

    /** The same with a hundred keys at most, for another worker. */
    public HeavyKeys withoutLight() {
        Map<KeyBytes, Long> kept = new HashMap<>(times);
        kept.values().removeIf(some -> some <= LIGHT * sampled);
        return new HeavyKeys(sampled, values, kept);
    }

    /** The keys above a share, heaviest first, at most {@code most} of them. */
    List<Share> above(double share, int most) {
        return times.entrySet().stream()
                .map(one -> new Share(one.getKey(), (double) one.getValue() / sampled))
                .filter(one -> one.share() > share)
                .sorted(HEAVIEST_FIRST)
                .limit(most)
                .toList();
    }
}
