package dev.tidemark.worker.explain;

import java.util.Map;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowVersion;

/**
 * A token that fits the definitions in force.
 *
 * @param plan the table written to
 * @param token names partitions of the table only, and no row but one that its partition can hold
 */
record ResolvedToken(DesiredTable plan, SessionToken token) {

    /**
     * Checks a token.
     *
     * @throws NoReceiptException when there is no such table
     * @throws BadTokenException when it cannot have been given out for the table as it is defined
     */
    static ResolvedToken of(Definitions definitions, SessionToken token) throws NoReceiptException, BadTokenException {
        DesiredTable plan = definitions
                .table(token.table())
                .orElseThrow(() -> new NoReceiptException(
                        false,
                        "the token is of table " + token.table()
                                + ", and this worker's catalog has no table of that name; it may be of another"
                                + " installation"));
        TableDefinition table = plan.definition();
        for (int partition : token.versions().keySet()) {
            boolean fits = partition >= 0
                    && partition < table.partitions()
                    && (token.row().isEmpty()
                            || isAt(partition, token.row().get().key(), table));
            if (!fits) {
                throw new BadTokenException("expected a token of table " + table.name() + " with its "
                        + table.partitions() + " partitions, but this one names another place; it may be of another"
                        + " installation");
            }
        }
        return new ResolvedToken(plan, token);
    }

    TableDefinition table() {
        return plan.definition();
    }

    /** The version of the one row. */
    RowVersion version() {
        return token.versions().values().iterator().next();
    }

    Map<Integer, RowVersion> versions() {
        return token.versions();
    }

    private static boolean isAt(int partition, KeyBytes key, TableDefinition table) {
        try {
            table.keyToJson(key);
            return table.partitionOf(key) == partition;
        } catch (MalformedKeyException e) {
            return false;
        }
    }
}
