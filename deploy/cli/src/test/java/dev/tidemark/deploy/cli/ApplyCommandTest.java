package dev.tidemark.deploy.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

class ApplyCommandTest {
    private static final String BY_TOWN = "by_town: {key: [town]}";
    /** What stands beside a generation that is ready in every replica group. */
    private static final String ENDS =
            "'previous':{'generation':1,'serves':true,'rollbackUntil':'2026-01-01T12:15:00Z'}";

    private static final String BY_NAME = "by_name: {key: [name]}";

    @TempDir
    private Path directory = Path.of("");

    private final CannedServices services = new CannedServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();
    private String typed = "";
    private boolean interactive;

    ApplyCommandTest() {
        services.answer = "{\"id\":\"1\",\"state\":\"done\",\"tables\":[]}";
    }

    @Test
    void showsWhatEachChangeWillCost() throws IOException {
        services.definitions.lifecycleStates.addFirst(
                "{'indexes':[{'index':'by_town','table':'people','entries':7,'progress':{'rowsDone':1,'rowsTotal':400000}}]}");
        services.answer =
                ("{'id':'1','state':'done','tables':[{'table':'people','indexes':[{'index':'by_age','entries':900,"
                                + "'diskBytes':31500,'buildSeconds':8.5,'applySecondsPerChange':0.0000077,"
                                + "'placements':{'partitions':4,'recordsPerChange':1,'recordsPerMove':1.75,'topicBytes':9000},"
                                + "'refused':2,'refusedRows':[{'primaryKey':42,'reason':'too"
                                + " long'},{'primaryKey':43,'reason':'too'}]}]}]}")
                        .replace('\'', '"');

        assertThat(apply(BY_TOWN + ", " + BY_NAME + ", by_age: {key: [age]}", "--yes"))
                .isZero();

        assertThat(screen.out())
                .contains("about 900 entries, 31.5 kB; build 8.5 s; each change of the table costs 7.7 µs more")
                .contains("a topic of 4 partitions, 9.0 kB once it is filled; each change")
                .contains("it cannot hold about 2 rows, and stays degraded until they are mended, such as:")
                .contains("row 42: too long");
        // A part of the rows that is enough to tell by.
        assertThat(services.asked).first().asString().endsWith("/v1/plan?sample=5.0");
    }

    @Test
    void looksAtEveryRowWhereTheSizeOfATableIsNotKnown() throws IOException {
        assertThat(apply(BY_TOWN + ", " + BY_NAME + ", by_age: {key: [age]}", "--yes"))
                .isZero();

        assertThat(services.asked).first().asString().endsWith("/v1/plan?sample=100.0");
    }

    @Test
    void goesOnWhenWhatItCostsCannotBeTold() throws IOException {
        services.failure = "the worker did not answer";

        assertThat(apply("by_age: {key: [age]}", "--yes")).isZero();

        assertThat(screen.err()).contains("What this will cost could not be forecast: the worker did not answer");
        assertThat(screen.out()).contains("create people.by_age", "Version 2 of the definitions is in force.");
    }

    @Test
    void waitsNoLongerThanItWasToldTo() throws IOException {
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(beside(3, "building", ""));

        assertThat(apply(
                        "by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait", "--wait-time", "1ms"))
                .isEqualTo(1);
        assertThat(screen.err())
                .contains("After 1 ms, people.by_town is building: 2 of 5 rows")
                .contains("What is in force stays so, and building goes on");

        assertThat(apply(BY_TOWN, "--yes", "--wait", "--wait-time", "soon")).isEqualTo(2);
    }

    @Test
    void waitsForWhatAnEarlierCallBeganToBuild() throws IOException {
        String indexes = "by_town: {key: [town], projection: all}, " + BY_NAME;
        assertThat(apply(indexes, "--yes")).isZero();
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(beside(3, "building", ""));

        assertThat(apply(indexes, "--yes", "--wait", "--wait-time", "1ms")).isEqualTo(1);
        assertThat(screen.err())
                .contains("After 1 ms, people.by_town is building")
                .doesNotContain("by_name");

        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(beside(3, "ready", ""));
        assertThat(apply(indexes, "--yes", "--wait")).isZero();
        assertThat(screen.out()).contains("Every index of the file is ready.");
    }

    @Test
    void showsWhatItWouldDoAndDoesItWhenThePersonAgrees() throws IOException {
        interactive = true;
        typed = "yes\n";
        services.definitions.lifecycleStates.addFirst(
                "{'indexes':[{'index':'by_name','table':'people','entries':1234},{'index':'by_town','table':'people','entries':7}]}");

        int code = apply("by_town: {key: [town], projection: all}, by_age: {key: [age]}");

        assertThat(code).isZero();
        assertThat(screen.out())
                .contains("change people.by_town", "projection: \"keys_only\"  ->  projection: \"all\"", "7 entries")
                .contains("create people.by_age", "key: [\"age\"]")
                .contains("drop   people.by_name", "deletes 1,234 entries")
                .contains("Version 2 of the definitions is in force.");
        assertThat(changes()).containsExactly("put from 1");
    }

    @Test
    void showsWhatBecomesOfAnIndexThatIsPartitionedInAnotherWay() throws IOException {
        String global = "by_town: {key: [town], scope: global, partitions: 3, salt: 2}";
        assertThat(apply(global + ", " + BY_NAME, "--yes")).isZero();
        assertThat(screen.out())
                .contains(
                        "scope: \"local\"  ->  scope: \"global\"",
                        "partitions: those of the table  ->  partitions: 3",
                        "salt: 1  ->  salt: 2");

        assertThat(apply(BY_TOWN + ", " + BY_NAME, "--yes")).isZero();
        assertThat(screen.out())
                .contains(
                        "scope: \"global\"  ->  scope: \"local\"",
                        "partitions: 3  ->  partitions: those of the table",
                        "salt: 2  ->  salt: 1");
    }

    @Test
    void changesNothingWhenThePersonDoesNotAgree() throws IOException {
        interactive = true;
        typed = "no\n";

        assertThat(apply(BY_TOWN)).isEqualTo(1);

        assertThat(screen.err()).contains("Nothing was changed.");
        assertThat(changes()).isEmpty();
    }

    @Test
    void needsYesWhereNobodyCanBeAsked() throws IOException {
        assertThat(apply(BY_TOWN)).isEqualTo(2);
        assertThat(screen.err()).contains("expected --yes, because there is no terminal to ask on");
        assertThat(changes()).isEmpty();

        assertThat(apply(BY_TOWN, "--yes")).isZero();
        assertThat(changes()).containsExactly("put from 1");
    }

    @Test
    void saysThatThereIsNothingToChange() throws IOException {
        assertThat(apply(BY_TOWN + ", " + BY_NAME)).isZero();

        assertThat(screen.out()).contains("there is nothing to change");
        assertThat(services.definitions.current().version()).isEqualTo(1);
    }

    @Test
    void saysThatNoIndexWouldChangeWhereOnlyASourceIsNew() throws IOException {
        String followed = CannedDefinitions.file(BY_TOWN + ", " + BY_NAME)
                .replace("primaryKey: id,", "primaryKey: id, source: {name: shop, table: public.people},");

        assertThat(applyFile(followed, "--yes")).isZero();

        assertThat(screen.out()).contains("in force. No index would change.").doesNotContain("would:");
        assertThat(changes()).containsExactly("put from 1");
    }

    @Test
    void tellsWhatSomebodyElseChangedMeanwhile() throws IOException {
        services.definitions.moveBeforeTheNextChange();

        assertThat(apply(BY_TOWN, "--yes")).isEqualTo(1);

        assertThat(screen.err())
                .contains("create people.by_age")
                .contains("was not brought in force. Run this again: it shows what is left to change from version 2.");
    }

    @Test
    void isCarriedOutWhereOnlyTheAnswerWasLost() throws IOException {
        services.definitions.loseTheNextAnswer(false);

        assertThat(apply(BY_TOWN, "--yes")).isZero();

        assertThat(screen.out()).contains("Version 2 of the definitions is in force.");
        assertThat(screen.err()).doesNotContain("was not brought in force");
        assertThat(changes()).containsExactly("put from 1", "put from 2");
        assertThat(services.definitions.current().version()).isEqualTo(2);
    }

    @Test
    void showsTheFirstFailureWhereTheWriterIsAwayAfterwards() throws IOException {
        services.definitions.loseTheNextAnswer(true);

        assertThat(apply(BY_TOWN, "--yes")).isEqualTo(1);

        assertThat(screen.err()).contains("broke off; what was requested may have been done");
    }

    @Test
    void waitsUntilWhatItMadeIsReady() throws IOException {
        services.definitions.lifecycleStates.addFirst(beside(3, "verifying", ""));
        services.definitions.lifecycleStates.addFirst(beside(3, "building", ""));
        services.definitions.lifecycleStates.addFirst(beside(1, "ready", ""));
        services.definitions.lifecycleStates.addFirst("{'indexes':[]}");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(beside(3, "ready", ""));

        assertThat(apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait"))
                .isZero();

        assertThat(screen.out()).contains("people.by_town is ready").containsPattern("rows +- +5 ");
    }

    @Test
    void goesOnWaitingWhileTheWorkerIsAway() throws IOException {
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addAll(List.of(
                "{'indexes':[]}",
                beside(1, "ready", ""),
                beside(3, "building", ""),
                CannedDefinitions.AWAY,
                CannedDefinitions.BUSY,
                beside(3, "ready", "")));

        assertThat(apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait"))
                .isZero();

        assertThat(screen.out()).contains("people.by_town is ready");
        assertThat(screen.err()).containsOnlyOnce("Asking again, because nothing answers at the worker");
    }

    @Test
    void doesNotWaitForAWorkerThatRefusesToShowItsIndexes() throws IOException {
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addAll(
                List.of("{'indexes':[]}", CannedDefinitions.REFUSED, beside(3, "ready", "")));

        assertThat(apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait"))
                .isEqualTo(1);

        assertThat(screen.err()).contains("the worker answered 403: no scope").doesNotContain("Asking again");
    }

    @Test
    void saysWhyTheWorkerDidNotAnswerUntilTheEnd() throws IOException {
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(CannedDefinitions.AWAY);

        assertThat(apply(
                        "by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait", "--wait-time", "1ms"))
                .isEqualTo(1);

        assertThat(screen.out()).contains("Version 2 of the definitions is in force.");
        assertThat(screen.err()).endsWith("nothing answers at the worker" + System.lineSeparator());
    }

    @Test
    void failsWhenWhatItMadeIsDegraded() throws IOException {
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(beside(3, "degraded", "12 rows are refused"));

        assertThat(apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes", "--wait"))
                .isEqualTo(1);

        assertThat(screen.err()).contains("people.by_town is degraded: 12 rows are refused");
    }

    @Test
    void retiresWhatAnEarlierChangeReplacedWhenThatChangeIsDone() throws IOException {
        apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(3, "ready", ""));

        apply("by_town: {key: [town], projection: [name]}, " + BY_NAME, "--yes");

        assertThat(changes()).containsExactly("put from 1", "retire people.by_town from 2", "put from 3");
        assertThat(services.definitions
                        .current()
                        .index("people", "by_town")
                        .orElseThrow()
                        .previous())
                .hasValueSatisfying(old -> assertThat(old.id()).isEqualTo(3));
    }

    @Test
    void growsATableAndReturnsToTheFormerPartitionsAndRetiresThemOnceTheOthersAnswer() throws IOException {
        apply(5, "--yes");
        assertThat(screen.out())
                .contains("Table people gets 5 partitions in place of 4.")
                .contains("move   people.by_town", "partitions: 4  ->  5");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(4, "ready", ""));

        apply(4, "--yes");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(1, "ready", ""));
        apply(6, "--yes");

        assertThat(changes())
                .startsWith("put from 1", "put from 2")
                .contains("retire people.by_town from 3")
                .endsWith("put from 4");
    }

    @Test
    void keepsWhatAnswersWhereOnlyThePartitionsOfWhatItReplacedAreWantedAgain() throws IOException {
        String changed = "by_town: {key: [town], projection: all}, " + BY_NAME;
        applyFile(file(5, changed), "--yes");
        long answering = byTown().current().id();
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(answering, "ready", ""));

        applyFile(file(4, changed), "--yes");

        assertThat(changes()).startsWith("put from 1", "retire people.by_town from 2");
        assertThat(byTown().previous())
                .hasValueSatisfying(old -> assertThat(old.id()).isEqualTo(answering));
    }

    @Test
    void keepsWhatAnswersWhereOnlyTheDefinitionOfWhatItReplacedIsWantedAgain() throws IOException {
        applyFile(file(5, "by_town: {key: [town], projection: all}, " + BY_NAME), "--yes");
        long answering = byTown().current().id();
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(answering, "ready", ""));

        apply(6, "--yes");

        assertThat(changes()).startsWith("put from 1", "retire people.by_town from 2");
        assertThat(byTown().previous())
                .hasValueSatisfying(old -> assertThat(old.id()).isEqualTo(answering));
    }

    @Test
    void returnsToTheGenerationBeforeThoughTheOneThatAnswersWasPausedTooLate() throws Exception {
        apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes");
        services.definitions.pause("by_town");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(3, "ready", ""));

        apply(BY_TOWN + ", " + BY_NAME, "--yes");

        assertThat(changes()).containsExactly("put from 1", "put from 3");
        assertThat(byTown().current().id()).isEqualTo(1);
    }

    @Test
    void keepsWhatAnswersWhileAnEarlierChangeIsUnderWay() throws IOException {
        apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(lifecycleState(3, "building", ""));

        apply("by_town: {key: [town], projection: [name]}, " + BY_NAME, "--yes");

        assertThat(changes()).containsExactly("put from 1", "put from 2");
    }

    @Test
    void keepsWhatAnotherReplicaGroupAnswersFromWhileThatOneStillBuilds() throws IOException {
        apply("by_town: {key: [town], projection: all}, " + BY_NAME, "--yes");
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast(
                lifecycleState(3, "ready", "").replace(ENDS, "'previous':{'generation':1,'serves':true}"));

        apply("by_town: {key: [town], projection: [name]}, " + BY_NAME, "--yes");

        assertThat(changes()).containsExactly("put from 1", "put from 2");
        assertThat(services.definitions
                        .current()
                        .index("people", "by_town")
                        .orElseThrow()
                        .previous())
                .hasValueSatisfying(old -> assertThat(old.id()).isEqualTo(1));
    }

    @Test
    void printsTheAnswerForPrograms() throws IOException {
        assertThat(apply(BY_TOWN, "--yes", "--json")).isZero();

        assertThat(screen.out())
                .isEqualTo(
                        "{\"version\":2,\"changes\":[{\"action\":\"drop\",\"table\":\"people\",\"index\":\"by_name\","
                                + "\"generation\":0}]}" + System.lineSeparator());
    }

    @Test
    void onlyAYesIsAYes() throws IOException {
        interactive = true;
        typed = "yesterday";
        assertThat(apply(BY_TOWN)).isEqualTo(1);
        typed = "\n";
        assertThat(apply(BY_TOWN)).isEqualTo(1);
        typed = "";
        assertThat(apply(BY_TOWN)).isEqualTo(2);
        assertThat(changes()).isEmpty();

        typed = "YES";
        assertThat(apply(BY_TOWN)).isZero();
        typed = "y\n";
        assertThat(apply(BY_NAME)).isZero();
        assertThat(changes()).containsExactly("put from 1", "put from 2");
    }

    private InputStream typed() {
        return new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void refusesAFileWithOtherTables() throws IOException {
        Path file = Files.writeString(directory.resolve("other.yaml"), "tables: {films: {primaryKey: id}}");

        assertThat(run("-f", file.toString(), "--yes")).isEqualTo(1);

        assertThat(screen.err()).contains("table people is in force").contains("table films is new");
    }

    /** What was asked for beside forecasts. */
    private List<String> changes() {
        return services.asked.stream().filter(one -> !one.contains("/v1/plan")).toList();
    }

    private static String lifecycleState(long generation, String state, String cause) {
        String previous = state.equals("ready") ? ENDS + "," : "";
        return "{'indexes':[{'index':'by_town','table':'people','entries':1," + previous
                + "'progress':{'rowsDone':2,'rowsTotal':5},'actual':{'rows':5},'life':{'state':'" + state
                + "','generation':" + generation + ",'cause':'" + cause + "'}}]}";
    }

    /** The same beside an index that is ready since the beginning. */
    private static String beside(long generation, String state, String cause) {
        String byName = "{'index':'by_name','table':'people','entries':1,'life':{'state':'ready','generation':2}}";
        return lifecycleState(generation, state, cause).replaceFirst("]}$", "," + byName + "]}");
    }

    private int apply(int partitions, String... options) throws IOException {
        return applyFile(file(partitions, BY_TOWN + ", " + BY_NAME), options);
    }

    private static String file(int partitions, String indexes) {
        return CannedDefinitions.file(indexes)
                .replace("primaryKey: id,", "primaryKey: id, partitions: " + partitions + ",");
    }

    private DesiredIndex byTown() {
        return services.definitions.current().index("people", "by_town").orElseThrow();
    }

    private int apply(String indexes, String... options) throws IOException {
        return applyFile(CannedDefinitions.file(indexes), options);
    }

    private int applyFile(String text, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("catalog.yaml"), text);
        String[] all = new String[options.length + 2];
        all[0] = "-f";
        all[1] = file.toString();
        System.arraycopy(options, 0, all, 2, options.length);
        return run(all);
    }

    private int run(String... arguments) {
        Terminal pipe = screen.terminal();
        Terminal terminal =
                new Terminal(pipe.out(), pipe.err(), interactive, interactive, pipe.colour(), pipe.columns());
        return new CommandLine(new ApplyCommand(services, terminal, typed()))
                .setErr(new PrintWriter(pipe.err(), true, StandardCharsets.UTF_8))
                .setExecutionExceptionHandler((e, command, result) -> {
                    terminal.complain(String.valueOf(e.getMessage()));
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(arguments);
    }
}
