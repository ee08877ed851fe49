package dev.tidemark.deploy.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.api.LagReport;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.AnswerTable;
import dev.tidemark.deploy.text.ExplanationLines;
import dev.tidemark.deploy.text.LagTable;
import dev.tidemark.deploy.text.ReceiptLines;
import dev.tidemark.deploy.text.Redraw;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.runtime.BoundedWait;

/** Commands that read indexes: their entries, why a row is in them, what happened to a write, how old they are. */
final class QueryCommands {
    private static final Duration FRAME = Duration.ofMillis(500);

    private QueryCommands() {}

    /** The directions of an answer, which a shell suggests. */
    static final class Orders implements Iterable<String> {
        private static final List<String> ALL = List.of("asc", "desc");

        @Override
        public Iterator<String> iterator() {
            return ALL.iterator();
        }
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Shows entries of an index, in index order.",
            footer = {
                "",
                "Examples:",
                "  tidemark query by_town town=Redmond",
                "  tidemark query by_town_last_name town=Redmond lastName.prefix=S",
                "  tidemark query by_year year.gte=1990 year.lt=2000 --order desc --limit 20",
                "  tidemark query by_last_name lastName=Smith --fetch-row",
                "",
                "A value is the JSON it spells: 1994 is a number, Redmond is text, and so is '\"42\"'."
            })
    static void query(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
                    String index,
            @Parameters(
                            index = "1..*",
                            paramLabel = "FIELD=VALUE",
                            description = "Equality on leading parts of the key; on the next part also field.gt, .gte,"
                                    + " .lt, .lte, .prefix.")
                    @Nullable
                    List<String> conditions,
            @Option(names = "--limit", paramLabel = "N", description = "At most that many entries (default: 100).")
                    @Nullable
                    Integer limit,
            @Option(
                            names = "--order",
                            paramLabel = "asc|desc",
                            completionCandidates = Orders.class,
                            description = "Direction (default: asc).")
                    @Nullable
                    String order,
            @Option(names = "--cursor", paramLabel = "CURSOR", description = "Where the answer before ended.") @Nullable
                    String cursor,
            @Option(names = "--token", paramLabel = "TOKEN", description = "Wait for a write: the token it answered.")
                    @Nullable
                    String token,
            @Option(
                            names = "--wait",
                            paramLabel = "TIME",
                            description = "How long to wait for the token (default: 2s).")
                    @Nullable
                    String wait,
            @Option(names = "--max-staleness", paramLabel = "TIME", description = "Refuse an answer that may be older.")
                    @Nullable
                    String maxStaleness,
            @Option(names = "--fetch-row", description = "Follow each entry to its row in the fact table.")
                    boolean fetchRow,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/indexes/{index}/entries.")
                    boolean json)
            throws ServiceException, InterruptedException {
        QueryRequest query = QueryRequest.of(index);
        for (String condition : conditions == null ? List.<String>of() : conditions) {
            int equals = condition.indexOf('=');
            if (equals < 1) {
                throw client.wrongUsage("expected FIELD=VALUE, but got " + condition);
            }
            query = query.with(condition.substring(0, equals), condition.substring(equals + 1));
        }
        if (limit != null && limit < 1) {
            throw client.wrongUsage("expected --limit of at least 1, but got " + limit);
        }
        if (order != null && !Orders.ALL.contains(order)) {
            throw client.wrongUsage("expected --order asc or desc, but got " + order);
        }
        requireDuration(client, "--wait", wait);
        requireDuration(client, "--max-staleness", maxStaleness);
        query = query.with("limit", limit)
                .with("order", order)
                .with("cursor", cursor)
                .with("token", token)
                .with("wait", wait)
                .with("max_staleness", maxStaleness)
                .with("fetch", fetchRow ? "row" : null);
        client.print(client.worker().query(query), json, QueryCommands::table);
    }

    /** The worker reads durations as the command line does, and takes them as they are written. */
    private static void requireDuration(ClientOptions client, String option, @Nullable String text) {
        if (text != null) {
            client.duration(option, text);
        }
    }

    private static List<String> table(JsonNode json, Terminal terminal) {
        IndexAnswer answer = RowJson.as(IndexAnswer.class, json);
        List<String> lines = new ArrayList<>();
        if (answer.entries().isEmpty()) {
            lines.add("no entries");
        } else {
            lines.addAll(AnswerTable.render(answer, terminal));
            lines.add(Amounts.count(answer.entries().size(), "entry", "entries")
                    + (answer.next().isEmpty() ? "" : "; more follow: --cursor " + answer.next()));
        }
        lines.add(AnswerTable.freshness(answer.freshness(), terminal));
        return lines;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Says why a row is, or is not, in an index.",
            footer = {
                "",
                "Shows the row's entries, or what keeps it out: a key field without a value, a condition of",
                "where, a change that is not applied yet, a quarantined record, a delete.",
                "",
                "Examples:",
                "  tidemark explain by_town 1009",
                "  tidemark explain recent the-matrix-1999",
                "  tidemark explain plays.by_name Paris,1984",
                "  tidemark explain plays.by_name '[\"Paris, Texas\", 1984]'",
                "",
                "A key is the JSON it spells: 1009 is a number, Paris is text, and so is '\"42\"'. The parts of",
                "a composite key are joined by commas, or written as a JSON list."
            })
    static void explain(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
                    String index,
            @Parameters(index = "1", paramLabel = "KEY", description = "Primary key of the row.") String key,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/indexes/{index}/explain.")
                    boolean json)
            throws ServiceException, InterruptedException {
        client.print(client.worker().explain(index, parts(key)), json, ExplanationLines::render);
    }

    /** A list by its elements; any other text at its commas, which a key of one part joins again. */
    private static List<String> parts(String text) {
        try {
            JsonNode node = RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
            if (node.isArray() && !node.isEmpty()) {
                return node.valueStream().map(SpelledValue::write).toList();
            }
        } catch (BadJsonException e) {
            // Then it is text.
        }
        return List.of(text.split(",", -1));
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Shows the status of a write in each index of its table.",
            footer = {
                "",
                "visible         queries see it",
                "pending         not yet; shows at most how many changes come before it",
                "not_applicable  applied, and the index holds no such row; shows why",
                "quarantined     could not be applied; shows why",
                "superseded      a newer version of the row took its place",
                "inconsistent    the index holds a version that the writer never assigned; repair it",
                "unknown         no worker answers for a partition of a bulk load",
                "",
                "Exit code 1 while anything is pending or unknown.",
                "",
                "Examples:",
                "  tidemark receipt AgljdXN0b21lcnMAAQAEAAAAAAABFYCBeGPeeg",
                "  tidemark receipt AgljdXN0b21lcnMAAQAEAAAAAAABFYCBeGPeeg --wait 5s"
            })
    static int receipt(
            @Mixin ClientOptions client,
            @Parameters(index = "0", paramLabel = "TOKEN", description = "What the write answered.") String token,
            @Option(
                            names = "--wait",
                            paramLabel = "TIME",
                            defaultValue = "0s",
                            description = "Wait until nothing is pending, for at most this time and at most 30s"
                                    + " (default: 0s).")
                    String wait,
            @Option(names = "--json", description = "Print JSON: the answer of GET /v1/receipts/{token}.") boolean json)
            throws ServiceException, InterruptedException {
        requireDuration(client, "--wait", wait);
        JsonNode receipt = client.worker().receipt(token, wait);
        client.print(receipt, json, ReceiptLines::render);
        return receipt.path("decided").asBoolean() ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Shows how far each index is behind the fact table.",
            footer = {
                "",
                "freshness  upper bound on the staleness of an answer; the headline number",
                "behind     changes published and not yet applied",
                "oldest     age of the oldest of them",
                "in/s       records published a second to its table, heartbeats included",
                "out/s      records applied a second",
                "eta        time until it has caught up at these rates; never when it does not gain",
                "visible    time from commit to queryable, median and 99th percentile",
                "",
                "Examples:",
                "  tidemark lag",
                "  tidemark lag --watch",
                "  tidemark lag --json"
            })
    static void lag(
            @Mixin ClientOptions client,
            @Option(names = "--watch", description = "Draw it again twice a second, until Ctrl-C.") boolean watch,
            @Option(
                            names = "--json",
                            description = "Print JSON: the answer of GET /v1/lag; with --watch one line each time.")
                    boolean json)
            throws ServiceException, InterruptedException {
        WorkerApi worker = client.worker();
        Redraw screen = new Redraw(client.terminal());
        showLag(client, lag(client, worker), json, screen);
        while (watch && !client.terminal().out().checkError()) {
            BoundedWait.rest(FRAME);
            try {
                showLag(client, lag(client, worker), json, screen);
            } catch (ServiceException e) {
                // The worker may come back, and the user who watches wants to see that.
                if (json) {
                    client.terminal().complain("tidemark: " + e.getMessage());
                } else {
                    screen.draw(List.of(client.terminal().tinted(e.getMessage(), Tint.RED)));
                }
            }
        }
    }

    private static JsonNode lag(ClientOptions client, WorkerApi worker) throws ServiceException, InterruptedException {
        JsonNode lag = worker.lag();
        // A writer has a call of that name too, and answers it with what waits in its outbox.
        if (lag.has("outbox")) {
            throw client.writerInPlaceOfWorker();
        }
        return lag;
    }

    private static void showLag(ClientOptions client, JsonNode lag, boolean json, Redraw screen) {
        if (json) {
            client.terminal().line(lag.toString());
        } else {
            screen.draw(LagTable.render(RowJson.as(LagReport.class, lag), client.terminal()));
        }
    }
}
