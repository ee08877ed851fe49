package dev.tidemark.writer.http;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One good answer of every call. As every answer, each is held against the document. */
class PublishedAnswersTest {
    private static final String ROWS = "/v1/tables/customers/rows";

    @Test
    void everyCallAnswersAsPublished() throws Exception {
        try (ApiFixture api = new ApiFixture()) {
            Map<String, IntSupplier> calls = calls(api);

            assertThat(calls.keySet()).containsExactlyInAnyOrderElementsOf(ApiFixture.PUBLISHED.calls());
            calls.forEach((call, made) -> assertThat(made.getAsInt()).as(call).isBetween(200, 299));
        }
    }

    private static Map<String, IntSupplier> calls(ApiFixture api) {
        Map<String, IntSupplier> calls = new LinkedHashMap<>();
        calls.put(
                "PUT /v1/tables/{table}/rows/{key}",
                () -> api.put(ROWS + "/1", "{'customerId':1,'town':'Redmond'}").status());
        calls.put(
                "PATCH /v1/tables/{table}/rows/{key}",
                () -> api.patch(ROWS + "/1", "{'town':null}").status());
        calls.put(
                "POST /v1/tables/{table}/rows",
                () -> api.load(ROWS, "{'customerId':2}", "{'$delete':3}", "{}").status());
        calls.put(
                "GET /v1/tables/{table}/rows/{key}", () -> api.get(ROWS + "/1").status());
        calls.put(
                "GET /v1/tables/{table}/rows", () -> api.get(ROWS + "?limit=1").status());
        calls.put(
                "POST /v1/tables/{table}/rows:lookup",
                () -> api.post(ROWS + ":lookup", "{'keys':[1,9]}").status());
        calls.put(
                "DELETE /v1/tables/{table}/rows/{key}",
                () -> api.delete(ROWS + "/1").status());
        calls.put(
                "DELETE /v1/tables/{table}/quarantine/{partition}/{key}",
                () -> api.delete("/v1/tables/customers/quarantine/0/9").status());
        calls.put("POST /v1/catalog/orders", () -> order(api));
        calls.put("PUT /v1/catalog", () -> dryRun(api));
        calls.put(
                "POST /v1/backup",
                () -> api.send("POST", "/v1/backup", BodyPublishers.noBody()).status());
        for (String path :
                new String[] {"/v1/tables", "/v1/catalog", "/v1/lag", "/v1/clock", "/health/live", "/health/ready"}) {
            calls.put("GET " + path, () -> api.get(path).status());
        }
        for (String path : new String[] {"/metrics", "/openapi.yaml"}) {
            calls.put("GET " + path, () -> api.open(path).statusCode());
        }
        calls.put(
                "GET /v1/tables/{table}/facts",
                () -> api.open("/v1/tables/customers/facts").statusCode());
        // At the end: from then on, clients may not write the table.
        calls.put("GET /v1/sources/{name}", () -> {
            follow(api);
            return api.get("/v1/sources/shop").status();
        });
        calls.put(
                "POST /v1/sources/{name}/batches",
                () -> api.post("/v1/sources/shop/batches", "{'after':null,'position':{}}")
                        .status());
        return calls;
    }

    private static void follow(ApiFixture api) {
        api.send(
                "PUT",
                "/v1/catalog",
                ApiFixture.text("{'tables':{'customers':{'primaryKey':'customerId','partitions':4,"
                        + "'source':{'name':'shop','table':'c'}},"
                        + "'movies':{'primaryKey':['title','year'],'partitions':2}}}"),
                "Content-Type",
                "application/json",
                "If-Match",
                "*");
    }

    private static int order(ApiFixture api) {
        return api.send(
                        "POST",
                        "/v1/catalog/orders?dry_run=true",
                        ApiFixture.text("{'order':'pause','table':'customers','index':'by_town'}"),
                        "Content-Type",
                        "application/json",
                        "If-Match",
                        "*")
                .status();
    }

    private static int dryRun(ApiFixture api) {
        return api.send(
                        "PUT",
                        "/v1/catalog?dry_run=true",
                        ApiFixture.text("{'tables':{'customers':{'primaryKey':'customerId','partitions':4},"
                                + "'movies':{'primaryKey':['title','year'],'partitions':2}}}"),
                        "Content-Type",
                        "application/json")
                .status();
    }
}
