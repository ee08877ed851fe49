package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.row.FieldValue;
import dev.tidemark.worker.advise.Advice.Figure;
import dev.tidemark.worker.advise.Advice.Kind;
import dev.tidemark.worker.advise.Advice.Saving;

/** The pure function from facts to advice. A rule is silent where it has seen too little to be right. */
public final class AdviceRules {
    /** Fewer entries than this are no burden, however they are spread. */
    static final long LEAST_ENTRIES = 1_000;

    /** Up to this number of distinct values, a key of one part is not selective. */
    static final long FEW_VALUES = 16;

    /** From this share of the entries on, one value counts as nearly all entries. */
    static final double NEARLY_ALL = 0.9;

    /** Fewer updates than this give no advice about key changes. */
    static final long LEAST_UPDATES = 100;

    /** Fewer queries than this give no advice about the projection. */
    static final long LEAST_QUERIES = 20;

    /** Above this part, something happens more often than not. */
    static final double MOSTLY = 0.5;

    /** Fewer sampled changes than this do not show which keys are heavy. */
    static final long LEAST_SAMPLED = 100;

    /** A key above this part of the sampled changes is heavy, if it has much more than others, too. */
    static final double HEAVY = 0.1;

    /** Above this multiple of what each key would have if all had equally many changes, a key has much more. */
    static final double OUTSIZED = 4;

    private static final int MOST_HEAVY = 5;

    /** An index that had no query for longer than this counts as never queried. */
    static final Duration LONG_ENOUGH = Duration.ofHours(1);

    private AdviceRules() {}

    /** All advice for an index, by kind. */
    public static List<Advice> of(IndexFacts facts) {
        return Stream.of(spread(facts), heavy(facts), volatility(facts), neglect(facts), carried(facts))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Whether an index had no query, but was not watched long enough to count as never queried. */
    public static boolean isTooEarly(IndexFacts facts) {
        return facts.usage().queries() == 0 && !isWatchedLong(facts.usage());
    }

    /** False while another worker is silent, too: its queries are not counted. */
    private static boolean isWatchedLong(Usage usage) {
        return usage.watched().compareTo(LONG_ENOUGH) > 0;
    }

    /** The index keys that take an outsized part of the changes of an index, heaviest first. */
    public static List<HeavyKeys.Share> heavyKeys(IndexFacts facts) {
        HeavyKeys keys = facts.usage().keys();
        double even = 1.0 / Math.max(1, Math.max(keys.values(), facts.shape().distinct()));
        return keys.sampled() < LEAST_SAMPLED ? List.of() : keys.above(Math.max(HEAVY, OUTSIZED * even), MOST_HEAVY);
    }

    private static Optional<Advice> heavy(IndexFacts facts) {
        List<HeavyKeys.Share> keys = heavyKeys(facts);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        double share = keys.stream().mapToDouble(HeavyKeys.Share::share).sum();
        String found = (keys.size() == 1 ? "1 key has " : keys.size() + " keys have ") + percent(share)
                + " of the changes of its entries";
        String named = keys.stream().map(key -> named(facts, key)).collect(Collectors.joining("; ", ": ", ""));
        IndexDefinition index = facts.definition();
        String hint = (index.salt() < index.partitions() ? "; raise its salt, begin" : "; begin")
                + " its key with a part that has more values"
                + (index.key().stream().anyMatch(KeyPart::each)
                        ? ""
                        : ", or leave " + (keys.size() == 1 ? "it" : "them") + " out with where");
        return Optional.of(new Advice(
                Kind.HEAVY_KEYS,
                facts.index(),
                found + named + hint,
                found + hint,
                List.of(
                        new Figure("sampledChanges", facts.usage().keys().sampled()),
                        new Figure("keys", keys.size()),
                        new Figure("share", share)),
                new Saving(0, 0, 0, 0)));
    }

    private static String named(IndexFacts facts, HeavyKeys.Share key) {
        List<KeyPart> parts = facts.definition().key();
        List<FieldValue> values = key.values(parts);
        List<String> words = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            String value = part < values.size() ? values.get(part).toJson().toString() : "…";
            words.add(parts.get(part).field() + " " + value);
        }
        return String.join(", ", words) + " (" + percent(key.share()) + ")";
    }

    private static Optional<Advice> spread(IndexFacts facts) {
        KeyShape shape = facts.shape();
        if (shape.entries() < LEAST_ENTRIES || shape.heaviest().isEmpty()) {
            return Optional.empty();
        }
        boolean nearlyAll = shape.share(shape.heaviest().get(0)) >= NEARLY_ALL;
        if (nearlyAll && shape.distinct() > 1) {
            return Optional.of(oneValue(facts));
        }
        boolean single = facts.definition().key().size() == 1;
        boolean few = shape.complete() && shape.distinct() <= FEW_VALUES;
        return few && single ? Optional.of(fewValues(facts)) : Optional.empty();
    }

    private static Advice oneValue(IndexFacts facts) {
        KeyShape shape = facts.shape();
        KeyShape.Weight heaviest = shape.heaviest().get(0);
        double share = shape.share(heaviest);
        String field = firstField(facts);
        String value = heaviest.value().toJson().toString();
        // An array satisfies no comparison, so a where with one would leave every row out.
        boolean each = facts.definition().key().get(0).each();
        String without = "; index a field of only the other elements, because where compares no elements";
        String rest = ", and read the fact table for that value";
        return new Advice(
                Kind.ONE_VALUE,
                facts.index(),
                percent(share) + " of its entries have " + field + " " + value
                        + (each ? without : "; leave them out with where: {" + field + ": {ne: " + value + "}}") + rest,
                percent(share) + " of its entries have the same " + field
                        + (each ? without : "; leave them out with where") + rest,
                List.of(
                        new Figure("entries", shape.entries()),
                        new Figure("heaviestEntries", heaviest.entries()),
                        new Figure("share", share)),
                new Saving(
                        heaviest.entries(),
                        Math.round(shape.bytes() * share),
                        Math.round(applyNanos(facts) * share),
                        0));
    }

    private static Advice fewValues(IndexFacts facts) {
        KeyShape shape = facts.shape();
        long perValue = shape.entries() / Math.max(1, shape.distinct());
        return new Advice(
                Kind.NOT_DISCRIMINATING,
                facts.index(),
                "its key " + firstField(facts) + " has " + shape.distinct()
                        + (shape.distinct() == 1 ? " value" : " values")
                        + " over " + shape.entries() + " entries, so a query finds " + perValue
                        + " of them on average; add a key part with more values, or drop the index",
                List.of(
                        new Figure("entries", shape.entries()),
                        new Figure("distinctValues", shape.distinct()),
                        new Figure("entriesPerValue", perValue)),
                whole(facts));
    }

    private static Optional<Advice> volatility(IndexFacts facts) {
        Usage usage = facts.usage();
        if (usage.updates() < LEAST_UPDATES || usage.movedShare() <= MOSTLY) {
            return Optional.empty();
        }
        String drop = usage.queries() == 0
                ? ", or drop it, because no query has used it so far"
                : ", or drop it if the " + usage.queries() + " queries so far are not worth that";
        return Optional.of(new Advice(
                Kind.VOLATILE,
                facts.index(),
                percent(usage.movedShare()) + " of " + usage.updates()
                        + " updates changed its key, and each of them removes entries and puts others; key it by"
                        + " fields that rarely change" + (isTooEarly(facts) ? "" : drop),
                List.of(
                        new Figure("updates", usage.updates()),
                        new Figure("moved", usage.moved()),
                        new Figure("share", usage.movedShare()),
                        new Figure("queries", usage.queries())),
                new Saving(0, 0, Math.round(applyNanos(facts) * usage.movedShare()), 0)));
    }

    private static Optional<Advice> neglect(IndexFacts facts) {
        Usage usage = facts.usage();
        if (usage.queries() > 0 || isTooEarly(facts)) {
            return Optional.empty();
        }
        return Optional.of(new Advice(
                Kind.NEVER_QUERIED,
                facts.index(),
                "no query used it in " + usage.watched().toMinutes()
                        + " minutes at any worker that has shards now; drop it if no other worker was queried",
                List.of(
                        new Figure("watchedSeconds", usage.watched().toSeconds()),
                        new Figure("entries", facts.shape().entries())),
                whole(facts)));
    }

    private static Optional<Advice> carried(IndexFacts facts) {
        Usage usage = facts.usage();
        Projection projection = facts.definition().projection();
        double rate = (double) usage.fetches() / Math.max(1, usage.queries());
        if (usage.queries() < LEAST_QUERIES || rate <= MOSTLY) {
            return Optional.empty();
        }
        boolean carries = !(projection instanceof Projection.KeysOnly);
        if (carries && usage.fetches() == usage.queries()) {
            return isWatchedLong(usage) ? Optional.of(unread(facts)) : Optional.empty();
        }
        return projection instanceof Projection.All ? Optional.empty() : Optional.of(covering(facts, carries, rate));
    }

    private static Advice unread(IndexFacts facts) {
        KeyShape shape = facts.shape();
        boolean list = facts.definition().projection() instanceof Projection.Fields;
        return new Advice(
                Kind.KEYS_ONLY,
                facts.index(),
                "all " + facts.usage().queries()
                        + " queries fetched the rows, so the fields of its entries are never used;"
                        + " make it keys_only"
                        + (list ? ", or list the fields that are wanted" : ", or query without fetch=row"),
                List.of(
                        new Figure("queries", facts.usage().queries()),
                        new Figure("fetches", facts.usage().fetches()),
                        new Figure("carriedBytesPerEntry", shape.carriedBytes())),
                new Saving(0, Math.round(shape.entries() * shape.carriedBytes()), 0, 0));
    }

    private static Advice covering(IndexFacts facts, boolean carries, double rate) {
        Usage usage = facts.usage();
        return new Advice(
                Kind.COVERING,
                facts.index(),
                percent(rate) + " of " + usage.queries() + " queries fetched the rows from the writer; "
                        + (carries ? "lengthen its list" : "give it a list of the fields that are wanted")
                        + ", or make it all, so that the index answers alone",
                List.of(
                        new Figure("queries", usage.queries()),
                        new Figure("fetches", usage.fetches()),
                        new Figure("rate", rate)),
                new Saving(0, 0, 0, usage.fetches()));
    }

    private static Saving whole(IndexFacts facts) {
        return new Saving(facts.shape().entries(), facts.shape().bytes(), applyNanos(facts), 0);
    }

    private static long applyNanos(IndexFacts facts) {
        return facts.applyPerChange().map(Duration::toNanos).orElse(0L);
    }

    private static String firstField(IndexFacts facts) {
        KeyPart first = facts.definition().key().get(0);
        return first.field().toString();
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }
}
