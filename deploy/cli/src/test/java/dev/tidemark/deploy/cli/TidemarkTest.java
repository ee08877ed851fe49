package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.worker.WorkerMain;
import dev.tidemark.writer.WriterMain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

final class TidemarkTest {
    private final CannedServices services = new CannedServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void listsItsCommandsWithExamples() {
        assertThat(run("--help")).isZero();
        assertThat(screen.out())
                .contains(
                        "demo",
                        "stack",
                        "broker",
                        "writer",
                        "worker",
                        "load",
                        "query",
                        "lag",
                        "workers",
                        "shards",
                        "apply",
                        "indexes",
                        "index",
                        "pause",
                        "resume",
                        "Try first:");
    }

    @TestFactory
    Stream<DynamicTest> explainsEachCommandWithAnExample() {
        return withAllBelow(commandLine(List.of())).map(command -> {
            String name = command.getCommandSpec().qualifiedName();
            return dynamicTest(
                    name,
                    () -> assertThat(command.getUsageMessage(Ansi.OFF).lines())
                            .anyMatch(line -> line.startsWith("Usage: " + name + " "))
                            .anyMatch(line -> line.startsWith("  " + name + " ") || line.equals("  " + name)));
        });
    }

    @Test
    void showsTheServicesWhatTheUserSays() {
        services.answer = "{\"entries\":[]}";

        run("query", "by_town", "--token-file", "token", "--ca", "ca.pem");

        assertThat(services.shown.token()).contains(Path.of("token"));
        assertThat(services.shown.ca()).contains(Path.of("ca.pem"));
        assertThat(services.shown.certificate()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "query",
                "query by_town Redmond",
                "query by_town --limit many",
                "query by_town --limit 0",
                "query by_town --limit -1",
                "query by_town --order up",
                "query by_town --wait 2",
                "query by_town --max-staleness 0",
                "query by_town --worker nourl",
                "query by_town --worker localhost:8082",
                "query by_town --worker 127.0.0.1:38082",
                "query by_town --worker ftp://elsewhere",
                "receipt abc --wait 2",
                "load customers rows.ndjson --writer ",
                "load customers rows.ndjson --writer http://one:1,two:2",
                "load customers",
                "explain by_town",
                "receipt",
                "stack --data x",
                "stack --data x --catalog y --broker-port z",
                "stack --data x --catalog y --broker-port 0",
                "stack --data x --catalog y --writer-port 70000",
                "stack --data x --catalog y --worker-port -5",
                "stack --data x --catalog y --worker-port 8081",
                "stack --data x --catalog y --workers two",
                "stack --data x --catalog y --workers 0",
                "stack --data x --catalog y --replica-groups 33",
                "stack --data x --catalog y --workers 11 --replica-groups 3",
                "lag now",
                "workers http://elsewhere:1",
                "apply",
                "apply -f",
                "indexes by_town now",
                "index",
                "index pause",
                "index stop by_town",
                "advise me",
                "plan",
                "plan -f catalog.yaml --sample none",
                "plan -f catalog.yaml --sample 0%",
                "pause",
                "resume",
                "broker",
                "broker --set data.dir=x --set port=0",
                "broker --set data.dir=x --set colour=red"
            })
    void answersWrongUsageWithTwoAndAHint(String line) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ", -1);

        assertThat(run(words)).isEqualTo(2);
        assertThat(screen.err()).contains("--help");
        assertThat(services.asked).isEmpty();
    }

    @Test
    void namesTheNearestCommandWhereThereIsNoneOfThatName() {
        run("qurey", "by_town", "town=Redmond");
        run("xyzzy");
        run("index", "resum", "by_town");
        run("--versoin");

        assertThat(screen.err())
                .contains(
                        "tidemark: there is no command qurey; did you mean query?",
                        "tidemark: there is no command xyzzy\nSee tidemark --help.",
                        "tidemark index: there is no command resum; did you mean resume?",
                        "tidemark: Unknown option: '--versoin'");
    }

    @Test
    void saysWhichUrlIsNoneOfAService() {
        run("lag", "--worker", "127.0.0.1:38082");
        run("lag", "--writer", "http://one:1,two:2");

        assertThat(screen.err())
                .contains("'--worker': expected an http:// or https:// URL, but got '127.0.0.1:38082'")
                .contains("expected an http:// or https:// URL, but got 'two:2'")
                .doesNotContain("URISyntaxException");
    }

    @Test
    void passesConditionsAndOptionsOn() {
        services.answer = "{\"index\":\"by_year\",\"entries\":[]}";

        assertThat(run(
                        "query",
                        "by_year",
                        "year.gte=1990",
                        "title=a=b",
                        "--limit",
                        "5",
                        "--order",
                        "desc",
                        "--fetch-row",
                        "--worker",
                        "http://elsewhere:1"))
                .isZero();
        assertThat(services.asked)
                .containsExactly("GET http://elsewhere:1/v1/indexes/by_year/entries"
                        + "?year.gte=1990&title=a%3Db&limit=5&order=desc&fetch=row");
        assertThat(screen.out()).contains("no entries");
    }

    @Test
    void plansWithASampleAndFailsWhenRowsWouldBeRefused(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("catalog.yaml"), "tables: { people: { primaryKey: id, indexes: {} } }");
        services.answer = "{\"id\":\"1\",\"state\":\"done\",\"drops\":[],\"tables\":[]}";
        assertThat(run("plan", "-f", file.toString(), "--sample", "2.5%")).isZero();
        assertThat(services.asked).containsExactly("POST http://127.0.0.1:8082/v1/plan?sample=2.5");

        services.answer = "{\"id\":\"1\",\"state\":\"done\",\"drops\":[],\"tables\":[{\"table\":\"people\",\"indexes\":"
                + "[{\"index\":\"by_town\",\"refused\":1}]}]}";
        assertThat(run("plan", "-f", file.toString())).isEqualTo(1);
        assertThat(screen.out()).contains("people.by_town could not hold about 1 row");
    }

    @Test
    void explainsARowByItsKeyInWhateverWayItIsWritten() {
        services.answer = "{\"index\":\"by_year\",\"outcome\":\"no_such_row\",\"reason\":\"there is none\"}";

        assertThat(run("explain", "by_year", "7")).isZero();
        assertThat(run("explain", "by_year", "Paris,1984", "--worker", "http://elsewhere:1"))
                .isZero();
        assertThat(run("explain", "by_year", "[\"Paris, Texas\", \"1984\", 7]", "--json"))
                .isZero();
        assertThat(services.asked)
                .containsExactly(
                        "GET http://127.0.0.1:8082/v1/indexes/by_year/explain?key=7",
                        "GET http://elsewhere:1/v1/indexes/by_year/explain?key=Paris,1984",
                        "GET http://127.0.0.1:8082/v1/indexes/by_year/explain?key=Paris%2C%20Texas,%221984%22,7");
        assertThat(screen.out()).contains("there is none").endsWith(services.answer + System.lineSeparator());
    }

    @Test
    void aReceiptThatIsNotDecidedYetAnswersOne() {
        services.answer = "{\"decided\":true,\"indexes\":[]}";
        assertThat(run("receipt", "abc")).isZero();
        services.answer = "{\"decided\":false,\"indexes\":[]}";
        assertThat(run("receipt", "abc", "--wait", "5s", "--json")).isEqualTo(1);
        assertThat(services.asked)
                .containsExactly(
                        "GET http://127.0.0.1:8082/v1/receipts/abc?wait=0s",
                        "GET http://127.0.0.1:8082/v1/receipts/abc?wait=5s");
        assertThat(screen.out()).endsWith(services.answer + System.lineSeparator());
    }

    @Test
    void printsTheAnswerAsItCameForPrograms() {
        services.answer = "{\"index\":\"by_year\",\"entries\":[],\"next\":null}";

        assertThat(run("query", "by_year", "--json")).isZero();
        assertThat(screen.out().strip()).isEqualTo(services.answer);
    }

    @Test
    void answersOneWithOneLineWhenAServiceRefuses() {
        services.failure = "the worker answered 404: no index by_yaer";

        assertThat(run("query", "by_yaer")).isEqualTo(1);
        assertThat(screen.err().strip()).isEqualTo("tidemark: the worker answered 404: no index by_yaer");
        assertThat(run("lag")).isEqualTo(1);
    }

    @Test
    void aWriterIsNoWorkerThatHasALag() {
        services.answer = "{\"indexes\":[{\"index\":\"by_town\",\"table\":\"people\",\"freshnessSeconds\":0.2}],"
                + "\"outbox\":[{\"table\":\"people\",\"pendingRecords\":0,\"oldestAgeSeconds\":0.0}]}";

        assertThat(run("lag", "--worker", "http://one:8081")).isEqualTo(1);
        assertThat(run("lag", "--worker", "http://one:8081", "--json")).isEqualTo(1);
        assertThat(screen.err())
                .startsWith("tidemark: expected an index worker at http://one:8081, but a writer answers there");
        assertThat(screen.out()).isEmpty();
    }

    @Test
    void pausesAndResumesATable() {
        assertThat(run("pause", "films")).isZero();
        assertThat(run("resume", "films", "--worker", "http://elsewhere:1")).isZero();
        assertThat(services.asked)
                .containsExactly(
                        "POST http://127.0.0.1:8082/v1/tables/films/pause",
                        "POST http://elsewhere:1/v1/tables/films/resume");
        assertThat(screen.out()).contains("films: its indexes no longer follow", "films: its indexes follow again");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "cancel", "rollback"})
    void givesAnOrderAboutAnIndexUnderItsName(String order) {
        services.answer = "{\"version\":9}";

        assertThat(run("index", order, "by_town")).isZero();
        assertThat(services.asked).containsExactly("POST http://127.0.0.1:8082/v1/indexes/by_town/" + order);
        assertThat(screen.out())
                .isEqualTo("by_town: " + order + " is in force with version 9 of the definitions"
                        + System.lineSeparator());
    }

    @Test
    void refusesMoreWorkersThanAMachineCanHave() {
        run("stack", "--data", "x", "--catalog", "y", "--workers", "0");
        run("stack", "--data", "x", "--catalog", "y", "--replica-groups", "33");
        run("stack", "--data", "x", "--catalog", "y", "--workers", "11", "--replica-groups", "3");

        assertThat(screen.err())
                .contains(
                        "expected --workers from 1 to 32, but got 0",
                        "expected --replica-groups from 1 to 32, but got 33",
                        "expected at most 32 workers in all, but got 3 replica groups of 11");
    }

    @Test
    void refusesFactsThatAStackCannotHave() {
        Path catalog = Path.of("..", "samples", "catalog.yaml");
        List<List<String>> wrong = List.of(
                List.of("--writers", "2"),
                List.of("--facts", "mysql"),
                List.of("--facts-user", "shop"),
                List.of("--facts", "jdbc:postgresql://db/shop?user=u&password=p"));

        for (List<String> options : wrong) {
            List<String> all = new ArrayList<>(List.of("stack", "--data", "x", "--catalog", catalog.toString()));
            all.addAll(options);
            assertThat(run(all.toArray(String[]::new))).as("%s", options).isNotZero();
        }

        assertThat(screen.err())
                .contains(
                        "expected --facts postgresql for more than one writer, because with RocksDB",
                        "expected --facts rocksdb, postgresql or jdbc:postgresql://…, but got mysql",
                        "expected --facts-user and --facts-password-file only with --facts jdbc:postgresql://…",
                        "expected no password in --facts")
                .doesNotContain("password=p");
    }

    @Test
    void showsTheWorkersThatAnyOfThemKnows() {
        services.answer = "{\"workers\":[{\"url\":\"http://one:1\",\"replicaGroup\":\"a\",\"shards\":[]}],"
                + "\"unowned\":[{\"table\":\"people\",\"partition\":2,\"replicaGroup\":\"a\"}]}";

        assertThat(run("workers", "--worker", "http://elsewhere:1")).isZero();
        assertThat(services.asked).containsExactly("GET http://elsewhere:1/v1/workers");
        assertThat(screen.out()).contains("http://one:1", "no live worker of group a has people: 2");
        assertThat(run("workers", "--json")).isZero();
        assertThat(screen.out()).endsWith(services.answer + System.lineSeparator());
    }

    @Test
    void namesTheTablesWhereThereIsNoneOfThatNameToShowShardsOf() {
        services.answer = "{\"workers\":[{\"url\":\"http://one:1\",\"shards\":[{\"table\":\"people\"}]}],"
                + "\"unowned\":[{\"table\":\"films\",\"partition\":2,\"replicaGroup\":\"a\"}]}";

        assertThat(run("shards", "films")).isZero();
        assertThat(run("shards", "people", "--json")).isZero();
        for (List<String> words : List.of(List.of("shards", "nope"), List.of("shards", "nope", "--json"))) {
            assertThat(run(words.toArray(String[]::new))).isEqualTo(1);
        }
        assertThat(screen.err()).contains("tidemark: expected one of the tables [films, people], but got nope");
    }

    @Test
    void showsAllIndexesOrOne() {
        services.definitions.lifecycleStates.addFirst(
                "{'indexes':[{'index':'by_town','table':'people','entries':1,'life':{'state':'ready'}}]}");
        services.definitions.lifecycleStates.removeLast();

        assertThat(run("indexes")).isZero();
        assertThat(screen.out()).contains("by_town", "ready");
        assertThat(run("indexes", "by_town", "--json")).isZero();
        assertThat(screen.out()).contains("{\"index\":\"by_town\",\"table\":\"people\"");
        assertThat(run("indexes", "by_age")).isEqualTo(1);
    }

    @Test
    void copiesTheShardsBeforeTheTablesAndRemovesWhatTheServicesMade(@TempDir Path directory) throws IOException {
        Path made = Files.createDirectories(directory.resolve("made/facts"));
        services.answer = "{\"path\":\"" + made.getParent() + "\"}";
        Files.writeString(made.resolve("CURRENT"), "rows");

        assertThat(run("backup", "--to", directory.resolve("backup").toString()))
                .isZero();

        assertThat(services.asked).hasSize(2);
        assertThat(services.asked.get(0)).startsWith("POST http://127.0.0.1:8082/v1/backup?name=backup-");
        assertThat(services.asked.get(1)).startsWith("POST http://127.0.0.1:8081/v1/backup?name=backup-");
        assertThat(screen.out()).startsWith("worker: ").contains(" copied to " + directory.resolve("backup/worker"));
        assertThat(directory.resolve("backup/writer/facts/CURRENT")).hasContent("rows");
        assertThat(made.getParent()).doesNotExist();
    }

    @Test
    void aBackupOfTheWriterAloneNeedsNoWorkerAndIsPutBackAsOne(@TempDir Path directory) throws IOException {
        Path made = Files.createDirectories(directory.resolve("made/facts"));
        services.answer = "{\"path\":\"" + made.getParent() + "\"}";
        Files.writeString(made.resolve("CURRENT"), "rows");
        String to = directory.resolve("backup").toString();

        assertThat(run("backup", "--to", to, "--only", "writer")).isZero();
        assertThat(run("restore", "--from", to, "--data", directory.toString(), "--only", "writer"))
                .isZero();

        assertThat(services.asked).hasSize(1);
        assertThat(services.asked.get(0)).startsWith("POST http://127.0.0.1:8081/v1/backup?name=backup-");
        assertThat(directory.resolve("writer/facts/CURRENT")).hasContent("rows");
        assertThat(directory.resolve("worker")).doesNotExist();
    }

    @Test
    void aBackupThatFailedNamesTheCopyThatItCannotRemoveAndLeavesNoDirectory(@TempDir Path directory) {
        Path made = directory.resolve("made");
        services.answer = "{\"path\":\"" + made + "\"}";

        assertThat(run("backup", "--to", directory.resolve("backup").toString()))
                .isEqualTo(2);

        assertThat(screen.err()).contains("made at " + made, "remove it there");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void saysThatTheFileOfALoadCouldNotBeReadOn() {
        Path unreadable = Path.of("/proc/self/mem");
        assumeTrue(Files.isReadable(unreadable), "there is no file whose reading fails");

        assertThat(run("load", "letters", unreadable.toString())).isEqualTo(1);

        assertThat(screen.err())
                .contains("reading /proc/self/mem failed: ")
                .contains("lines before that may have been committed")
                .doesNotContain("broke off");
    }

    @Test
    void loadsAFileAndSaysHowManyRows(@TempDir Path directory) throws IOException {
        services.answer = "{\"committed\":2,\"rejected\":[],\"token\":\"t\"}";
        Path file = Files.writeString(directory.resolve("rows.ndjson"), "{\"a\":1}\n{\"a\":2}\n");

        assertThat(run("load", "letters", file.toString(), "--writer", "http://one:1,http://two:2"))
                .isZero();
        assertThat(services.asked)
                .containsExactly("POST http://one:1,http://two:2/v1/tables/letters/rows {\"a\":1}\n{\"a\":2}");
        assertThat(screen.out()).startsWith("letters: 2 rows committed, 0 rejected in ");
    }

    @Test
    void answersOneAndNamesTheLinesWhenRowsWereRejected(@TempDir Path directory) throws IOException {
        services.answer = "{\"committed\":1,\"rejected\":[{\"line\":7,\"detail\":\"no key\"}],\"token\":\"t\"}";
        Path file = Files.writeString(directory.resolve("rows.ndjson"), "{}\n");

        assertThat(run("load", "letters", file.toString())).isEqualTo(1);
        assertThat(screen.out()).contains("1 row committed, 1 rejected");
        assertThat(screen.err()).contains("line 7: no key");
    }

    @Test
    void countsRejectedLinesThatTheWriterDoesNotList(@TempDir Path directory) throws IOException {
        String listed = "{\"line\":7,\"detail\":\"no key\"},".repeat(11) + "{\"line\":8,\"detail\":\"no key\"}";
        services.answer = "{\"committed\":1,\"rejected\":[" + listed + "],\"rejectedTotal\":50000,\"token\":\"t\"}";
        Path file = Files.writeString(directory.resolve("rows.ndjson"), "{}\n");

        assertThat(run("load", "letters", file.toString())).isEqualTo(1);
        assertThat(screen.out()).contains("1 row committed, 50,000 rejected");
        assertThat(screen.err()).contains("… and 49,990 more");
    }

    @Test
    void answersTwoWhenTheFileIsNotThere() {
        assertThat(run("load", "letters", "/no/such/file")).isEqualTo(2);
        assertThat(screen.err()).contains("/no/such/file");
    }

    @Test
    void tellsOfAMistakeInTheCatalogBeforeAnythingStarts(@TempDir Path directory) throws IOException {
        Path catalog = Files.writeString(directory.resolve("catalog.yaml"), "tables:\n  a: { primarykey: id }\n");

        assertThat(run("stack", "--data", directory.toString(), "--catalog", catalog.toString()))
                .isEqualTo(2);
        assertThat(screen.err()).contains("catalog.yaml").contains("primarykey");
    }

    @Test
    void runsTheCommandOfAServiceWithAllItsArguments() {
        assertThat(run("writer", "--set", "data.dir=x", "--print-config")).isZero();
        assertThat(screen.out()).contains("# from the command line\ndata.dir=x\n");
        assertThat(run("worker", "--set", "data.dir")).isEqualTo(2);
        assertThat(run("worker", "--sett", "data.dir=x")).isEqualTo(2);
        assertThat(screen.err()).contains("worker: expected ", "See tidemark worker --help.");
    }

    @Test
    void listsTheCommandsOfAProviderBehindItsOwn() {
        CommandProvider provider =
                context -> List.of(new CommandLine(CommandSpec.create()).setCommandName("elsewhere"));

        assertThat(commandLine(List.of(provider)).getSubcommands().keySet()).endsWith("completion", "elsewhere");
    }

    /** A command with its subcommands, and theirs. */
    static Stream<CommandLine> withAllBelow(CommandLine command) {
        return Stream.concat(
                Stream.of(command), command.getSubcommands().values().stream().flatMap(TidemarkTest::withAllBelow));
    }

    private int run(String... arguments) {
        return commandLine(List.of()).execute(arguments);
    }

    private CommandLine commandLine(List<CommandProvider> providers) {
        return commandLine(services, screen, providers);
    }

    /** The whole command line, with the commands of the services. */
    static CommandLine commandLine(Services services, Terminals.Recorded screen, List<CommandProvider> providers) {
        return Tidemark.commandLine(
                new CommandContext(services, url -> false, screen.terminal(), work -> {}),
                List.of(WriterMain.command(), WorkerMain.command()),
                providers);
    }
}
