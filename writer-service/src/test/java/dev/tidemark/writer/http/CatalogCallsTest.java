package dev.tidemark.writer.http;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static org.assertj.core.api.Assertions.assertThat;

class CatalogCallsTest {
    private static final String BY_TOWN = "by_town: {key: [town], projection: all}";
    private static final String[] YAML = {"Content-Type", "application/yaml"};
    private static final String BY_NAME = "by_name: {key: [name]}";

    private final ApiFixture api;

    CatalogCallsTest() throws PortInUseException {
        this.api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void tellsTheDefinitionsInForceWithTheirVersion() {
        Answer answer = api.get("/v1/catalog");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"1\"");
        assertThat(answer.body()
                        .at("/tables/customers/indexes/by_town/generation")
                        .asLong())
                .isEqualTo(1);
    }

    @Test
    void bringsACatalogInForce() {
        Answer answer = change("\"1\"", BY_NAME);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("ETag")).isEqualTo("\"2\"");
        assertThat(answer.body().toString())
                .isEqualTo("{\"version\":2,\"changes\":["
                        + "{\"action\":\"create\",\"table\":\"customers\",\"index\":\"by_name\",\"generation\":2},"
                        + "{\"action\":\"drop\",\"table\":\"customers\",\"index\":\"by_town\",\"generation\":1}]}");
        assertThat(api.get("/v1/tables").body().at("/tables/0/indexes").has("by_name"))
                .isTrue();
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        byte[] body = catalog("by_name: {key: [name], where: {town: a?b}}").getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '?' ? (byte) 0xFF : body[i];
        }

        Answer answer = api.send(
                "PUT",
                "/v1/catalog",
                BodyPublishers.ofByteArray(body),
                "Content-Type",
                "application/yaml",
                "If-Match",
                "*");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).isEqualTo("catalog: expected text in UTF-8, but got bytes that are none");
    }

    @Test
    void readsJsonAsJson() {
        String json = "{'tables':{'customers':{'primaryKey':'customerId','partitions':4,'indexes':{'by_town':"
                + "{'key':['town'],'where':{'town':'a\u2028 b'}}}},'movies':{'primaryKey':['title','year'],'partitions':2}}}";
        String[] headers = {"Content-Type", "application/json; charset=utf-8", "If-Match", "*"};

        assertThat(api.send("PUT", "/v1/catalog", ApiFixture.text(json), headers)
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/v1/catalog")
                        .body()
                        .at("/tables/customers/indexes/by_town/where/town/eq")
                        .asText())
                .isEqualTo("a\u2028 b");
        Answer yaml = api.send("PUT", "/v1/catalog", ApiFixture.text(catalog(BY_NAME)), headers);
        assertThat(yaml.status()).isEqualTo(400);
        assertThat(yaml.detail()).startsWith("catalog: expected");
    }

    @Test
    void nothingIsChangedBeforeItIsKnownWhatWasPublished() throws Exception {
        try (ApiFixture started = ApiFixture.unconfirmed()) {
            Answer put = started.send(
                    "PUT",
                    "/v1/catalog",
                    ApiFixture.text(catalog(BY_NAME)),
                    "Content-Type",
                    "application/yaml",
                    "If-Match",
                    "*");
            Answer order = started.send(
                    "POST",
                    "/v1/catalog/orders",
                    ApiFixture.text("{'order':'pause','table':'customers','index':'by_town'}"),
                    "Content-Type",
                    "application/json",
                    "If-Match",
                    "\"1\"");

            for (Answer answer : List.of(put, order)) {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:definitions-unconfirmed");
                assertThat(answer.detail()).contains("nothing was changed").contains("send the change again");
                assertThat(answer.header("Retry-After")).isEqualTo("1");
            }
            assertThat(started.get("/v1/catalog").header("ETag")).isEqualTo("\"1\"");
        }
    }

    @Test
    void aDryRunChangesNothingAndNeedsNoVersion() {
        Answer answer = api.send("PUT", "/v1/catalog?dry_run=true", ApiFixture.text(catalog(BY_TOWN, BY_NAME)), YAML);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/version").asLong()).isEqualTo(2);
        assertThat(answer.body().at("/changes/0/action").asText()).isEqualTo("create");
        assertThat(api.get("/v1/catalog").body().at("/version").asLong()).isEqualTo(1);
    }

    @Test
    void aMisspeltDryRunIsRefusedAndChangesNothing() {
        Answer answer = api.send(
                "PUT",
                "/v1/catalog?dryrun=true",
                ApiFixture.text(catalog(BY_TOWN, BY_NAME)),
                "Content-Type",
                "application/yaml",
                "If-Match",
                "\"1\"");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).isEqualTo("expected no parameters other than dry_run, but got dryrun");
        assertThat(api.get("/v1/catalog").body().at("/version").asLong()).isEqualTo(1);
    }

    @Test
    void whoComesSecondIsToldWhatChanged() {
        change("\"1\"", BY_TOWN, BY_NAME);

        Answer answer = change("\"1\"", BY_TOWN, "by_age: {key: [age]}");

        assertThat(answer.status()).isEqualTo(412);
        assertThat(answer.body().at("/version").asLong()).isEqualTo(2);
        assertThat(answer.body().at("/changes").toString())
                .isEqualTo("[{\"action\":\"create\",\"table\":\"customers\",\"index\":\"by_name\"}]");
        assertThat(answer.detail())
                .isEqualTo(
                        "expected version 1 of the definitions, but version 2 is in force; in between, another client did"
                                + " create customers.by_name");
    }

    @Test
    void anAnswerNamesNoMoveThatIsOnlyWanted() {
        change("\"1\"", BY_TOWN, BY_NAME);
        String grown = catalog(BY_TOWN, BY_NAME).replace("partitions: 4", "partitions: 12");
        String[] headers = {"Content-Type", "application/yaml", "If-Match", "\"2\""};
        Answer moved = api.send("PUT", "/v1/catalog", ApiFixture.text(grown), headers);
        assertThat(moved.body().path("changes")).hasSize(2);

        Answer back = order("{'order':'rollback','table':'customers','index':'by_name'}", "\"3\"");
        assertThat(back.body().path("changes").toString())
                .isEqualTo("[{\"action\":\"move\",\"table\":\"customers\",\"index\":\"by_name\",\"generation\":2}]");
        for (String index : List.of("by_town", "by_name")) {
            Answer paused = order("{'order':'pause','table':'customers','index':'" + index + "'}", "*");
            assertThat(paused.status()).isEqualTo(200);
            assertThat(paused.body().path("changes")).isEmpty();
        }

        Answer second = change("\"4\"", BY_TOWN);
        assertThat(second.status()).isEqualTo(412);
        assertThat(second.body().path("changes")).isEmpty();
        assertThat(change("\"3\"", BY_TOWN).detail()).endsWith("another client did move customers.by_name");
    }

    @Test
    void asksForTheVersionThatAChangeWasMadeFrom() {
        assertThat(api.send("PUT", "/v1/catalog", ApiFixture.text(catalog(BY_TOWN)), YAML)
                        .status())
                .isEqualTo(428);
        assertThat(change("1", BY_TOWN).status()).isEqualTo(400);
        assertThat(change("*", BY_NAME).status()).isEqualTo(200);
    }

    @Test
    void refusesToTouchTables() {
        Answer answer = api.send(
                "PUT",
                "/v1/catalog",
                ApiFixture.text("tables: {customers: {primaryKey: other, partitions: 4}}"),
                "Content-Type",
                "application/yaml",
                "If-Match",
                "\"1\"");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().at("/errors")).hasSize(1);
        assertThat(answer.body().at("/errors/0/detail").asText()).contains("primary key");
    }

    @Test
    void namesWhatIsWrongInACatalog() {
        Answer answer = change("\"1\"", "by_town: {keys: [town]}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).contains("catalog:1:").contains("keys");
        assertThat(answer.body().at("/errors")).hasSize(2);
        assertThat(answer.body().at("/errors/0/detail").asText()).contains("missing key \"key\" of index by_town");
        assertThat(change("\"1\"", "by_town: {key: []}").body().has("errors")).isFalse();
    }

    @Test
    void aNewIndexIsEnforcedFromAcceptanceOn() {
        String row = "{'customerId':1,'name':{'first':'a'}}";
        assertThat(api.put("/v1/tables/customers/rows/1", row).status()).isEqualTo(201);

        change("\"1\"", BY_TOWN, BY_NAME);

        Answer refused = api.put("/v1/tables/customers/rows/1", row);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.detail()).contains("by_name");
        assertThat(api.patch("/v1/tables/customers/rows/1", "{'town':'a'}").status())
                .isEqualTo(422);
    }

    @Test
    void carriesOutOrders() {
        Answer paused = order("{'order':'pause','table':'customers','index':'by_town'}", "\"1\"");
        assertThat(paused.status()).isEqualTo(200);
        assertThat(paused.body().toString()).isEqualTo("{\"version\":2,\"changes\":[]}");
        assertThat(api.get("/v1/catalog")
                        .body()
                        .at("/tables/customers/indexes/by_town/paused")
                        .asBoolean())
                .isTrue();

        Answer whole = order("{'order':'pause_table','table':'customers'}", "\"2\"");
        assertThat(whole.status()).isEqualTo(200);
        assertThat(api.get("/v1/catalog")
                        .body()
                        .at("/tables/customers/pausedSince")
                        .isTextual())
                .isTrue();
        assertThat(order("{'order':'resume_table','table':'customers'}", "\"3\"")
                        .status())
                .isEqualTo(200);
        assertThat(api.get("/v1/catalog").body().at("/tables/customers").has("pausedSince"))
                .isFalse();

        Answer cancelled = order("{'order':'cancel','table':'customers','index':'by_town'}", "\"4\"");
        assertThat(cancelled.body().at("/changes/0/action").asText()).isEqualTo("drop");
    }

    @Test
    void anOrderAtWhichTheStoreFailedMayHaveBeenCarriedOutAndTheCatalogShowsWhetherItWas() {
        synchronized (api.disk) {
            api.disk.failAfterNextSave(new IllegalStateException("the connection is lost"));
        }

        Answer unknown = order("{'order':'cancel','table':'customers','index':'by_town'}", "\"1\"");

        assertThat(unknown.status()).isEqualTo(503);
        assertThat(unknown.body().path("type").asText()).isEqualTo("tidemark:outcome-unknown");
        assertThat(api.get("/v1/catalog").header("ETag")).isEqualTo("\"2\"");
    }

    @Test
    void theCatalogIsNotShownWhileItIsNotKnownWhichOneIsStored() {
        synchronized (api.disk) {
            api.disk.failAfterNextSave(new IllegalStateException("the connection is lost"));
        }
        order("{'order':'cancel','table':'customers','index':'by_town'}", "\"1\"");
        fill(true);

        Answer shown = api.get("/v1/catalog");
        Answer ordered = order("{'order':'pause','table':'customers','index':'by_town'}", "*");

        for (Answer answer : List.of(shown, ordered)) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:definitions-unconfirmed");
        }
        fill(false);
        assertThat(order("{'order':'pause_table','table':'customers'}", "*").header("ETag"))
                .isEqualTo("\"3\"");
    }

    private void fill(boolean full) {
        synchronized (api.disk) {
            api.disk.setFull(full);
        }
    }

    @Test
    void refusesOrdersThatCannotBeCarriedOut() {
        assertThat(order("{'order':'rollback','table':'customers','index':'by_town'}", "\"1\"")
                        .status())
                .isEqualTo(409);
        assertThat(order("{'order':'pause','table':'customers','index':'none'}", "\"1\"")
                        .status())
                .isEqualTo(409);
        assertThat(order("{'order':'stop','table':'customers','index':'by_town'}", "\"1\"")
                        .detail())
                .isEqualTo(
                        "expected one of pause, resume, cancel, rollback, retire, pause_table, resume_table as order,"
                                + " but got stop");
        assertThat(order("{'order':'pause','table':'customers'}", "\"1\"").status())
                .isEqualTo(400);
        assertThat(order("{'order':'pause_table','table':'customers','index':'by_town'}", "\"1\"")
                        .detail())
                .isEqualTo("expected no index, because pause_table is about a whole table");
        assertThat(order("{'order':'pause_table','table':'none'}", "\"1\"").status())
                .isEqualTo(409);
        assertThat(order("{'order':'pause','tabel':'customers'}", "\"1\"").status())
                .isEqualTo(400);
        assertThat(order("{'order':'pause','table':'customers','index':'by_town'}", "\"8\"")
                        .status())
                .isEqualTo(412);
    }

    private Answer change(String version, String... indexes) {
        return api.send(
                "PUT",
                "/v1/catalog",
                ApiFixture.text(catalog(indexes)),
                "Content-Type",
                "application/yaml",
                "If-Match",
                version);
    }

    private Answer order(String json, String version) {
        return api.send(
                "POST",
                "/v1/catalog/orders",
                ApiFixture.text(json),
                "Content-Type",
                "application/json",
                "If-Match",
                version);
    }

    private static String catalog(String... indexes) {
        return "tables: {customers: {primaryKey: customerId, partitions: 4, indexes: {" + String.join(", ", indexes)
                + "}}, movies: {primaryKey: [title, year], partitions: 2}}";
    }
}
