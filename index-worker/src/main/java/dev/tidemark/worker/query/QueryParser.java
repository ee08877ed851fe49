package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;

/** Parses a query from its parameters, and rejects unknown or malformed ones. */
public final class QueryParser {
    private final IndexNames.Found index;
    private final Parameters parameters;
    private final QueryLimits limits;

    private QueryParser(IndexNames.Found index, Parameters parameters, QueryLimits limits) {
        this.index = index;
        this.parameters = parameters;
        this.limits = limits;
    }

    /**
     * Reads a question.
     *
     * @param given parameters, decoded, each with all its values
     * @param limits what may be asked for
     * @throws BadInputException when there is anything wrong with them; the message names it and what was expected
     */
    public static IndexQuery parse(IndexNames.Found index, Map<String, List<String>> given, QueryLimits limits)
            throws BadInputException {
        return new QueryParser(index, new Parameters(given), limits).query();
    }

    private IndexQuery query() throws BadInputException {
        KeyRange range = range();
        Order order = parameters.word("order", "asc", "desc").orElse("asc").equals("desc") ? Order.DESC : Order.ASC;
        Optional<String> cursor = parameters.cursor();
        Optional<KeyBytes> after =
                cursor.isPresent() ? Optional.of(Cursor.read(index, range, order, cursor.get())) : Optional.empty();
        boolean fetchRow = parameters.word("fetch", "row").isPresent();
        boolean partial = parameters
                .word("allow_partial", "true", "false")
                .orElse("false")
                .equals("true");
        return new IndexQuery(index, range, order, after, parameters.limit(limits.page()), fetchRow, partial, demand());
    }

    private KeyRange range() throws BadInputException {
        PartConditions conditions = new PartConditions(index.definition(), parameters.parts());
        KeyBounds bounds = KeyBounds.all();
        boolean open = false;
        for (KeyPart part : index.definition().key()) {
            PartCondition condition = conditions.on(part);
            if (open && !condition.isEmpty()) {
                throw new BadQueryException(misplaced(part));
            }
            bounds = condition.narrow(bounds, part.order());
            open = open || !condition.isEquality();
        }
        return bounds.block();
    }

    private ReadConsistency demand() throws BadInputException {
        Optional<SessionToken> token = parameters.token();
        if (token.isPresent()) {
            check(token.get());
        }
        Duration wait = parameters.duration("wait").orElse(limits.presetWait());
        if (wait.compareTo(limits.longestWait()) > 0) {
            throw new BadQueryException(
                    "expected parameter wait to be at most "
                            + limits.longestWait().toSeconds() + "s, but got " + wait.toSeconds() + "s",
                    ProblemType.WAIT_TOO_LONG);
        }
        return new ReadConsistency(
                token.map(SessionToken::versions).orElse(Map.of()), parameters.duration("max_staleness"), wait);
    }

    private void check(SessionToken token) throws BadTokenException {
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
    }

    private String misplaced(KeyPart part) {
        List<KeyPart> key = index.definition().key();
        String names = key.stream().map(each -> each.field().toString()).collect(Collectors.joining(", "));
        List<KeyPart> before = key.subList(0, key.indexOf(part));
        return "expected an equality on "
                + before.stream().map(each -> each.field().toString()).collect(Collectors.joining(" and on "))
                + " before any condition on " + part.field() + ", because the key of index "
                + index.definition().name() + " is [" + names
                + "]: equalities on leading parts, and a range on the next one only";
    }
}
