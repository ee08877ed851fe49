package dev.tidemark.writer.http;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.writer.outbox.Dismissals.Outcome;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

class QuarantineCallTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'reader','token':'reader-0123456789-0123','scopes':['facts:customers']},"
            + "{'name':'other','token':'other-0123456789-0123','scopes':['admin','facts:movies']},"
            + "{'name':'keeper','token':'keeper-0123456789-0123','scopes':['admin','facts:customers']}]}";

    private final ApiFixture api = new ApiFixture();

    @TempDir
    private Path directory = Path.of("");

    QuarantineCallTest() throws PortInUseException {}

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void aKeyIsDismissedAsTheWorkerShowsIt() {
        assertThat(dismiss("customers/quarantine/3/7").status()).isEqualTo(202);
        assertThat(dismiss("customers/quarantine/0/0x6a756E6b").status()).isEqualTo(202);
        assertThat(dismiss("customers/quarantine/0/0x").status()).isEqualTo(202);
        assertThat(dismiss("movies/quarantine/1/%220xff%22,1999").status()).isEqualTo(202);

        assertThat(api.dismissed)
                .startsWith("customers 3 " + TestTables.customerKey(7), "customers 0 6a756e6b", "customers 0 ")
                .hasSize(4);
    }

    @Test
    void aRecordInTheTopicOfAGlobalIndexIsDismissedByIndexAndGeneration() {
        assertThat(dismiss("customers/quarantine/9/7?index=by_town&generation=3")
                        .status())
                .isEqualTo(202);
        assertThat(api.dismissed).containsExactly("customers.by_town.3 9 " + TestTables.customerKey(7));

        api.dismissal = Outcome.NO_PARTITION;
        ApiFixture.Answer answer = dismiss("customers/quarantine/10/7?index=by_town&generation=3");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains("a partition of table customers.by_town.3");
    }

    @Test
    void aKeyThatARowHasIsAConflict() {
        api.dismissal = Outcome.ROW_EXISTS;

        ApiFixture.Answer answer = dismiss("customers/quarantine/0/7");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.detail()).contains("write it again");
    }

    @Test
    void aTopicThatIsNotInUseIsWorthAnotherTry() {
        api.dismissal = Outcome.UNAVAILABLE;

        ApiFixture.Answer answer = dismiss("customers/quarantine/0/7");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("retry-after")).isEqualTo("1");
    }

    @Test
    void aTableThatIsNotThereIsNotFound() {
        assertThat(dismiss("strangers/quarantine/0/7").status()).isEqualTo(404);
        assertThat(api.dismissed).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "customers/quarantine/4/7",
                "customers/quarantine/-1/7",
                "customers/quarantine/99999999999999999999/7",
                "customers/quarantine/one/7",
                "customers/quarantine/0/seven%00",
                "customers/quarantine/0/0x6",
                "customers/quarantine/0/0xno",
                "customers/quarantine/0/0x00",
                "customers/quarantine/0/7?index=by_town",
                "customers/quarantine/0/7?generation=3",
                "customers/quarantine/0/7?index=by_town&generation=none",
                "movies/quarantine/0/alone"
            })
    void whatIsNoPartitionOrNoKeyIsRefused(String path) {
        assertThat(dismiss(path).status()).isEqualTo(400);
        assertThat(api.dismissed).isEmpty();
    }

    @Test
    void whetherARowIsThereIsToldToThoseAloneWhoMayReadIt() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecuritySettings open = SecuritySettings.OPEN;
        SecuritySettings settings = new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty());
        try (ApiFixture secured = new ApiFixture(Security.open("127.0.0.1", settings, List::of, new ManualClock()))) {
            secured.dismissal = Outcome.ROW_EXISTS;
            for (String name : List.of("admin", "reader", "other")) {
                assertThat(status(secured, name)).as(name).isEqualTo(403);
            }
            assertThat(secured.dismissed).isEmpty();
            assertThat(status(secured, "keeper")).isEqualTo(409);
        }
    }

    private static int status(ApiFixture secured, String name) {
        return secured.delete(
                        "/v1/tables/customers/quarantine/0/7", "Authorization", "Bearer " + name + "-0123456789-0123")
                .status();
    }

    private ApiFixture.Answer dismiss(String path) {
        return api.delete("/v1/tables/" + path);
    }
}
