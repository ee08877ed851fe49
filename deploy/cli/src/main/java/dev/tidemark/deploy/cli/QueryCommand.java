package dev.tidemark.deploy.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.AnswerTable;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.RowJson;

/** A query to an index. */
@Command(
        name = "query",
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
final class QueryCommand implements Callable<Integer> {
    private final Services services;
    private final Terminal terminal;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Parameters(index = "0", paramLabel = "INDEX", description = "Name of the index, or table.index.")
    private String index = "";

    @Parameters(
            index = "1..*",
            paramLabel = "FIELD=VALUE",
            description = "Equality on leading parts of the key; on the next part also field.gt, .gte, .lt, .lte,"
                    + " .prefix.")
    private List<String> conditions = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "At most that many entries (default: 100).")
    private @Nullable Integer limit;

    @Option(names = "--order", paramLabel = "asc|desc", description = "Direction (default: asc).")
    private @Nullable String order;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Where the answer before ended.")
    private @Nullable String cursor;

    @Option(names = "--token", paramLabel = "TOKEN", description = "Wait for a write: the token it answered.")
    private @Nullable String token;

    @Option(names = "--wait", paramLabel = "TIME", description = "How long to wait for the token (default: 2s).")
    private @Nullable String wait;

    @Option(names = "--max-staleness", paramLabel = "TIME", description = "Refuse an answer that may be older.")
    private @Nullable String maxStaleness;

    @Option(names = "--fetch-row", description = "Follow each entry to its row in the fact table.")
    private boolean fetchRow;

    @Option(names = "--json", description = "Print the answer as JSON, for programs.")
    private boolean json;

    QueryCommand(Services services, Terminal terminal) {
        this.services = services;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws ServiceException, InterruptedException {
        JsonNode answer = options.of(services).worker(options.worker).query(query());
        if (json) {
            terminal.line(answer.toString());
        } else {
            show(RowJson.as(IndexAnswer.class, answer));
        }
        return ExitCode.DONE;
    }

    private void show(IndexAnswer answer) {
        if (answer.entries().isEmpty()) {
            terminal.line("no entries");
        } else {
            terminal.lines(AnswerTable.render(answer, terminal));
            terminal.line(Amounts.count(answer.entries().size(), "entry", "entries")
                    + (answer.next().isEmpty() ? "" : "; more follow: --cursor " + answer.next()));
        }
        terminal.line(AnswerTable.freshness(answer.freshness(), terminal));
    }

    private QueryRequest query() {
        QueryRequest query = QueryRequest.of(index);
        for (String condition : conditions) {
            int equals = condition.indexOf('=');
            if (equals < 1) {
                throw new CommandLine.ParameterException(
                        spec == null ? new CommandLine(this) : spec.commandLine(),
                        "expected FIELD=VALUE, but got " + condition);
            }
            query = query.with(condition.substring(0, equals), condition.substring(equals + 1));
        }
        query = withOption(query, "limit", limit);
        query = withOption(query, "order", order);
        query = withOption(query, "cursor", cursor);
        query = withOption(query, "token", token);
        query = withOption(query, "wait", wait);
        query = withOption(query, "max_staleness", maxStaleness);
        return fetchRow ? query.with("fetch", "row") : query;
    }

    private static QueryRequest withOption(QueryRequest query, String name, @Nullable Object value) {
        return value == null ? query : query.with(name, value.toString());
    }
}
