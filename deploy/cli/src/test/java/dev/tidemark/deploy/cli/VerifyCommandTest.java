package dev.tidemark.deploy.cli;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyCommandTest {
    private static final String ASKED = "POST http://127.0.0.1:8082/v1/verify ";
    private static final String EQUAL = """
        {"id":"7","state":"done","rows":1200,"equal":true,"watermark":{"version":"1","time":"2024-01-01T00:00:00Z"},
         "missingPartitions":[],"repaired":0,
         "indexes":[{"index":"by_town","generation":3,"valid":1200,"missing":0,"dangling":0,"stale":0,"bad_covered":0,"duplicate":0,
                     "undecided":0,"examples":[]}]}\
        """;
    private static final String DIFFERENT = """
        {"id":"7","state":"done","rows":1200,"equal":false,"watermark":{"version":"1","time":"2024-01-01T00:00:00Z"},
         "missingPartitions":[2],"repaired":1,
         "indexes":[{"index":"by_town","generation":3,"valid":1199,"missing":1,"dangling":0,"stale":0,"bad_covered":0,"duplicate":0,
                     "undecided":0,"examples":[{"kind":"missing","primaryKey":5,"shard":1,"key":{"town":"Redmond"},
                     "found":null,"expected":{},"version":"0001000000000000005","factVersion":null}]}]}\
        """;

    private final CannedServices services = new CannedServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void answersZeroWhenTheIndexesAreEqualToTheirTable() {
        services.answer = EQUAL;

        assertThat(run("verify", "people")).isZero();
        assertThat(services.asked)
                .containsExactly(
                        ASKED + "{\"table\":\"people\",\"mode\":\"quick\",\"repair\":false}",
                        "GET http://127.0.0.1:8082/v1/verify/7");
        assertThat(screen.out()).contains("by_town", "1,200 rows compared as of the last commit, 2024-01-01T00:00:00Z");
        services.answer = EQUAL.replace("\"rows\":1200", "\"rows\":1200,\"basis\":\"digests\"");
        assertThat(run("verify", "people")).isZero();
        assertThat(screen.out()).contains("1,200 rows compared by digests as of 2024-01-01T00:00:00Z");
    }

    @Test
    void namesTheReplicaGroupThatWasComparedAndRepaired() {
        services.answer = EQUAL.replace("\"id\":\"7\"", "\"id\":\"7\",\"replicaGroup\":\"b\"");

        assertThat(run("verify", "people")).isZero();
        assertThat(screen.out()).contains("1,200 rows compared in replica group b as of the last commit");
        assertThat(run("repair", "people")).isZero();
        assertThat(screen.out()).contains("0 rows repaired in replica group b");
    }

    @Test
    void answersOneAndNamesTheRowWhenTheyDiffer() {
        services.answer = DIFFERENT;

        assertThat(run("verify", "people", "--index", "by_town", "--full")).isEqualTo(1);
        assertThat(services.asked)
                .first()
                .isEqualTo(ASKED + "{\"table\":\"people\",\"index\":\"by_town\",\"mode\":\"full\",\"repair\":false}");
        assertThat(screen.out())
                .contains(
                        "missing  by_town {\"town\":\"Redmond\"}  row 5, shard 1, index has version"
                                + " 0001000000000000005, table none",
                        "not compared, because no worker that answers did: partitions [2]");
    }

    @Test
    void saysWhyAWorkerDidNotCompareItsPartitions() {
        services.answer = DIFFERENT.replace("\"missingPartitions\"", "\"detail\":\"it is away\",\"missingPartitions\"");

        assertThat(run("verify", "people")).isEqualTo(1);
        assertThat(screen.out()).contains("partitions [2]; it is away");
    }

    @Test
    void answersOneWhereTheIndexHasAVersionThatTheWriterNeverGave() {
        services.answer = DIFFERENT
                .replace("\"missing\":1", "\"missing\":0,\"ahead\":1")
                .replace("\"kind\":\"missing\"", "\"kind\":\"ahead\"");

        assertThat(run("verify", "people")).isEqualTo(1);
        assertThat(screen.out()).contains("ahead  quarantined  undecided", "ahead  by_town");
    }

    @Test
    void saysThatKeptDigestsAreWrong() {
        services.answer = EQUAL.replace("\"equal\":true", "\"equal\":false")
                .replace("\"undecided\"", "\"digestsAgree\":false,\"undecided\"");

        assertThat(run("verify", "people")).isEqualTo(1);
        assertThat(screen.out()).contains("by_town: the digests that its shards keep are not those of its entries");
    }

    @Test
    void printsJsonForPrograms() {
        services.answer = DIFFERENT;

        assertThat(run("verify", "people", "--json")).isEqualTo(1);
        assertThat(screen.out()).startsWith("{\"id\":\"7\"").contains("\"equal\":false");
    }

    @Test
    void saysHowManyRowsWereRepaired() {
        services.answer = EQUAL.replace("\"repaired\":0", "\"repaired\":2,\"after\":{\"rows\":1200,\"indexes\":[]}");

        assertThat(run("repair", "people")).isZero();
        assertThat(services.asked)
                .first()
                .isEqualTo(ASKED + "{\"table\":\"people\",\"mode\":\"full\",\"repair\":true}");
        assertThat(screen.out()).contains("2 rows repaired", "afterwards:");
    }

    @Test
    void saysWhichOfTwoGenerationsAnswers() {
        services.answer = """
            {"id":"7","state":"done","rows":1,"equal":true,"repaired":1,"table":"people",
             "indexes":[{"index":"by_town","generation":3,"valid":1},{"index":"by_town","generation":5,"valid":1}]}""";
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast("{'indexes':[{'index':'by_town','table':'people',"
                + "'life':{'generation':5,'state':'building'},'previous':{'generation':3,'serves':true}}]}");

        assertThat(run("verify", "people")).isZero();

        assertThat(screen.out().lines())
                .anyMatch(line -> line.matches("by_town +3 answers +1 .*"))
                .anyMatch(line -> line.matches("by_town +5 +1 .*"))
                .anyMatch(line -> line.startsWith("1 row compared"));
        run("repair", "people");
        assertThat(screen.out()).contains("1 row repaired");
    }

    @Test
    void aGenerationThatIsKeptForARollbackDoesNotAnswer() {
        services.answer = """
            {"id":"7","state":"done","rows":1,"equal":true,"table":"people",
             "indexes":[{"index":"by_town","generation":3,"valid":1},{"index":"by_town","generation":5,"valid":1}]}""";
        services.definitions.lifecycleStates.removeLast();
        services.definitions.lifecycleStates.addLast("{'indexes':[{'index':'by_town','table':'people',"
                + "'life':{'generation':5,'state':'ready','serves':true},'previous':{'generation':3,'serves':true}}]}");

        assertThat(run("verify", "people")).isZero();

        assertThat(screen.out().lines())
                .anyMatch(line -> line.matches("by_town +3 +1 .*"))
                .anyMatch(line -> line.matches("by_town +5 answers +1 .*"));
    }

    @Test
    void saysWhyNothingCouldBeCompared() {
        services.answer = "{\"id\":\"7\",\"state\":\"failed\",\"detail\":\"the writer does not answer\"}";

        assertThat(run("verify", "people")).isEqualTo(1);
        assertThat(screen.err().strip()).isEqualTo("tidemark: it could not be compared: the writer does not answer");
    }

    private int run(String... arguments) {
        CommandContext context = new CommandContext(services, url -> false, screen.terminal(), work -> {});
        return Tidemark.commandLine(context, List.of(), List.of()).execute(arguments);
    }
}
