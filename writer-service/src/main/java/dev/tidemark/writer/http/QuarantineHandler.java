package dev.tidemark.writer.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.access.Scope;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.http.Access;
import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadInputException;
import dev.tidemark.writer.commit.RowRules;
import dev.tidemark.writer.outbox.Dismissals;

/** The call that dismisses what workers keep in quarantine under a key that no row has. */
record QuarantineHandler(Tables tables, Dismissals dismissals) {
    private static final Logger LOGGER = LoggerFactory.getLogger(QuarantineHandler.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Before the bytes of a key in hexadecimal, as workers show keys that are none of the table. */
    private static final String RAW = "0x";

    void dismiss(Call call) throws BadInputException {
        RowRules rules = tables.table(call);
        String table = rules.table().name();
        // The answer shows whether a row has the key.
        Access.require(call, List.of(Scope.facts(table)));
        String topic = topic(call, table);
        int partition = partition(call, topic, rules.table());
        KeyBytes key = key(call, rules);
        Dismissals.Outcome outcome = dismissals.dismiss(topic, partition, key).join();
        LOGGER.info(
                "Caller {} dismisses what is in quarantine in partition {} of table {} under a key with the SHA-256"
                        + " {}: {}",
                call.caller().name(),
                partition,
                topic,
                digest(key),
                outcome);
        switch (outcome) {
            case PUBLISHED -> call.status(202);
            case ROW_EXISTS ->
                throw new ProblemException(Problem.of(
                        409,
                        "Conflict",
                        "a row of table " + table
                                + " has this key: write it again, or repair the table, and the record in"
                                + " quarantine is replaced"));
            case NO_PARTITION -> throw noPartition(topic, Integer.toString(partition));
            case UNAVAILABLE ->
                throw new ProblemException(Problem.retryable(
                        503,
                        "Dismissal unavailable",
                        "nothing can be published of table " + table + " at the moment, or it was not acknowledged;"
                                + " send the request again",
                        RETRY_AFTER));
        }
    }

    /** The table whose topic has the record: that of the path, or the one derived for a generation or a layout. */
    private static String topic(Call call, String table) {
        Optional<String> index = Requests.parameter(call, "index");
        Optional<String> generation = Requests.parameter(call, "generation");
        Optional<String> layout = Requests.parameter(call, "layout");
        if (index.isEmpty() && generation.isEmpty() && layout.isEmpty()) {
            return table;
        }
        String name = table + "." + layout.orElseGet(() -> index.orElse("") + "." + generation.orElse(""));
        return DerivedTable.of(name)
                .map(DerivedTable::name)
                .orElseThrow(
                        () -> new ProblemException(Problem.badRequest("expected index and generation, or layout, as"
                                + " GET /v1/quarantine of a worker shows them, but got " + index.orElse("no index")
                                + " and "
                                + generation.orElse("no generation"))));
    }

    /** How many partitions a generation of an index has is known where its topic is. */
    private static int partition(Call call, String topic, TableDefinition table) {
        String text = call.pathParam("partition");
        int count = topic.equals(table.name()) ? table.partitions() : Integer.MAX_VALUE;
        // Most digits that cannot overflow.
        int partition = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : count;
        if (partition >= count) {
            throw noPartition(topic, text);
        }
        return partition;
    }

    private static ProblemException noPartition(String topic, String text) {
        return new ProblemException(
                Problem.badRequest("expected the number of a partition of table " + topic + ", but got " + text));
    }

    private KeyBytes key(Call call, RowRules rules) throws BadInputException {
        List<String> parts = Requests.lastSegmentParts(call);
        KeyBytes key = parts.size() == 1 && parts.get(0).startsWith(RAW)
                ? raw(parts.get(0).substring(RAW.length()))
                : rules.table().keyFromSpelled(parts);
        if (key.equals(ChangeCodec.HEARTBEAT_KEY)) {
            throw new ProblemException(
                    Problem.badRequest("expected the key of a record, but got the one of heartbeats"));
        }
        return key;
    }

    private static KeyBytes raw(String digits) {
        try {
            return KeyBytes.wrap(HexFormat.of().parseHex(digits));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.badRequest("expected pairs of hexadecimal digits after " + RAW
                    + ", or a text that begins so in quotes, but got " + RAW + digits));
        }
    }

    private static String digest(KeyBytes key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java to have SHA-256", e);
        }
    }
}
