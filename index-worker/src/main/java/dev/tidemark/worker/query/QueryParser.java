package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowVersion;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.Durations;

/** Parses a query from its parameters, and rejects unknown or malformed ones. */
public final class QueryParser {
    /** Parameters that are no conditions, in the order in which messages list them. */
    static final List<String> STEERING =
            List.of("order", "limit", "cursor", "fetch", "token", "wait", "max_staleness", "allow_partial");

    /** A number that an {@code int} holds. */
    private static final Pattern SMALL = Pattern.compile("0*\\d{1,9}");

    private static final Pattern WHOLE = Pattern.compile("\\d+");

    private final IndexNames.Found index;
    private final QueryLimits limits;
    private final Map<String, String> steering = new LinkedHashMap<>();

    /** Conditions on parts of the key: name, with or without an operator, and value as written. */
    private final Map<String, String> parts = new LinkedHashMap<>();

    private QueryParser(IndexNames.Found index, Map<String, List<String>> given, QueryLimits limits)
            throws BadQueryException {
        this.index = index;
        this.limits = limits;
        for (Map.Entry<String, List<String>> parameter : given.entrySet()) {
            String name = parameter.getKey();
            List<String> values = parameter.getValue();
            if (values.size() != 1) {
                throw new BadQueryException(
                        "expected parameter " + name + " once, but got it " + values.size() + " times");
            }
            (STEERING.contains(name) ? steering : parts).put(name, values.get(0));
        }
    }

    /**
     * Reads a query.
     *
     * @param given parameters, decoded, each with all its values
     * @param limits what may be asked for
     * @throws BadInputException when there is anything wrong with them; the message names it and what was expected
     */
    public static IndexQuery parse(IndexNames.Found index, Map<String, List<String>> given, QueryLimits limits)
            throws BadInputException {
        return new QueryParser(index, given, limits).query();
    }

    private IndexQuery query() throws BadInputException {
        KeyRange range = new PartConditions(index.definition(), parts).block();
        Order order = word("order", "asc", "desc").equals("desc") ? Order.DESC : Order.ASC;
        String cursor = steering.get("cursor");
        Optional<Cursor> from =
                cursor == null ? Optional.empty() : Optional.of(Cursor.read(index, range, order, cursor));
        boolean fetchRow = !word("fetch", "row").isEmpty();
        boolean partial = word("allow_partial", "true", "false").equals("true");
        ReadConsistency demand = demand(range, from.map(Cursor::seen).orElseGet(TreeMap::new));
        return new IndexQuery(
                index,
                index.partitions(range),
                range,
                order,
                from.map(Cursor::last),
                limit(),
                fetchRow,
                partial,
                demand);
    }

    private ReadConsistency demand(KeyRange range, Map<Integer, RowVersion> seen) throws BadInputException {
        String given = steering.get("token");
        Map<Integer, RowVersion> versions = given == null ? Map.of() : versions(range, SessionToken.decode(given));
        Duration wait = duration("wait").orElse(limits.presetWait());
        if (wait.compareTo(limits.longestWait()) > 0) {
            throw new BadQueryException(
                    "expected parameter wait to be at most "
                            + limits.longestWait().toSeconds() + "s, but got " + wait.toSeconds() + "s",
                    ProblemType.WAIT_TOO_LONG);
        }
        return new ReadConsistency(versions, seen(index.partitions(range), seen), duration("max_staleness"), wait);
    }

    /**
     * What the pages before held, by partition. Where the table has grown or shrunk since, its rows are in others, and
     * each must have the newest of it.
     */
    private Map<Integer, RowVersion> seen(Set<Integer> asked, Map<Integer, RowVersion> held) {
        boolean moves =
                index.plan().generations().stream().anyMatch(one -> one.layout().isPresent());
        boolean same = moves ? held.keySet().equals(asked) : asked.containsAll(held.keySet());
        return same ? held : newest(asked, held.values());
    }

    private static Map<Integer, RowVersion> newest(Set<Integer> partitions, Collection<RowVersion> versions) {
        Optional<RowVersion> newest = versions.stream().max(Comparator.naturalOrder());
        return newest.isEmpty()
                ? Map.of()
                : partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> newest.get()));
    }

    /** By partition, what must be in it; where others than those of the table are asked, the newest in each. */
    private Map<Integer, RowVersion> versions(KeyRange range, SessionToken token) throws BadTokenException {
        String table = index.table().name();
        if (!token.table().equals(table)) {
            throw new BadTokenException(
                    "expected a token of table " + table + ", but this one is of table " + token.table());
        }
        int partitions = index.table().partitions();
        if (token.versions().keySet().stream().anyMatch(partition -> partition < 0 || partition >= partitions)) {
            throw new BadTokenException("expected a token for the " + partitions + " partitions of table " + table
                    + ", but this one names others");
        }
        return index.generation().isDerived()
                ? newest(index.partitions(range), joined(token.versions().values()))
                : token.versions();
    }

    /**
     * What a partition must have for all of these versions. Between two epochs the fact tables went back in time, and a
     * write of the older one may be lost. The last version of that epoch stands for all then: a shard that is still in
     * it waits, and one in a newer epoch refuses the token.
     */
    private static Collection<RowVersion> joined(Collection<RowVersion> versions) {
        long least = versions.stream().mapToLong(RowVersion::epoch).min().orElse(0);
        boolean isOneEpoch = versions.stream().allMatch(version -> version.epoch() == least);
        return isOneEpoch ? versions : List.of(new RowVersion(least, RowVersion.MAX_SEQUENCE));
    }

    /** One of some words; no character when the parameter is not given. */
    private String word(String name, String... words) throws BadQueryException {
        String given = steering.getOrDefault(name, "");
        if (steering.containsKey(name) && !List.of(words).contains(given)) {
            throw new BadQueryException(
                    "expected parameter " + name + " to be " + String.join(" or ", words) + ", but got " + given);
        }
        return given;
    }

    private int limit() throws BadQueryException {
        int most = limits.page();
        String given = steering.get("limit");
        if (given == null) {
            return Math.min(IndexQuery.USUAL_LIMIT, most);
        }
        int limit = SMALL.matcher(given).matches()
                ? Integer.parseInt(given)
                : WHOLE.matcher(given).matches() ? most + 1 : 0;
        if (limit < 1 || limit > most) {
            String message = "expected parameter limit to be a whole number from 1 to " + most + ", but got " + given;
            throw limit < 1
                    ? new BadQueryException(message)
                    : new BadQueryException(message, ProblemType.LIMIT_TOO_LARGE);
        }
        return limit;
    }

    private Optional<Duration> duration(String name) throws BadQueryException {
        String given = steering.get(name);
        try {
            return given == null ? Optional.empty() : Optional.of(Durations.parse(given));
        } catch (BadSettingsException e) {
            throw new BadQueryException("parameter " + name + ": " + e.getMessage());
        }
    }
}
