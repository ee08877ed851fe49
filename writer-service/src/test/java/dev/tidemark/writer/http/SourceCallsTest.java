package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;
import dev.tidemark.writer.http.ApiFixture.Answer;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

class SourceCallsTest {
    private static final String SHOP = "/v1/sources/shop";
    private static final String BATCHES = SHOP + "/batches";
    private static final String ROWS = "/v1/tables/customers/rows";

    private final ApiFixture api;

    SourceCallsTest() throws PortInUseException {
        this.api = new ApiFixture();
    }

    @BeforeEach
    void follow() {
        assertThat(catalog("source: {name: shop, table: public.customers}").status())
                .isEqualTo(200);
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aCatalogSaysWhichTablesBeginToFollowASource() {
        Answer moved = catalog("source: {name: shop, table: public.clients}");
        Answer back = catalog("");

        assertThat(moved.body().toString())
                .isEqualTo("{\"version\":3,\"changes\":[],\"sources\":[{\"table\":\"customers\","
                        + "\"from\":{\"name\":\"shop\",\"table\":\"public.customers\"},"
                        + "\"to\":{\"name\":\"shop\",\"table\":\"public.clients\"}}]}");
        assertThat(back.body().at("/sources/0/to").isNull()).isTrue();
        assertThat(api.put(ROWS + "/1", "{'customerId':1}").status()).isEqualTo(201);
    }

    @Test
    void definitionsAndTablesNameTheSource() {
        assertThat(api.get("/v1/catalog").body().at("/tables/customers/source").toString())
                .isEqualTo("{\"name\":\"shop\",\"table\":\"public.customers\"}");
        assertThat(api.get("/v1/catalog").body().path("format").asInt()).isEqualTo(2);
        assertThat(api.get("/v1/tables").body().at("/tables/0/source/name").asText())
                .isEqualTo("shop");
    }

    @Test
    void onlyTheSourceMayWriteItsTables() {
        assertRefused(api.put(ROWS + "/1", "{'customerId':1}"));
        assertRefused(api.put(ROWS + "/1", "{'customerId':1}", "If-None-Match", "*"));
        assertRefused(api.patch(ROWS + "/1", "{'town':'a'}"));
        assertRefused(api.delete(ROWS + "/1"));
        assertRefused(api.load(ROWS, "{'customerId':1}"));
        assertRefused(api.load(ROWS + "?atomic=true", "{'customerId':1}"));
        assertThat(api.put("/v1/tables/movies/rows/a,1", "{'title':'a','year':1}")
                        .status())
                .isEqualTo(201);
    }

    private static void assertRefused(Answer answer) {
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:table-follows-source");
        assertThat(answer.body().at("/source/name").asText()).isEqualTo("shop");
        assertThat(answer.detail()).contains("shop (public.customers)");
    }

    @Test
    void beforeTheFirstBatchNothingIsKnown() {
        Answer answer = api.get(SHOP);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("position").isNull()).isTrue();
        assertThat(answer.body().path("watermark").isNull()).isTrue();
        assertThat(answer.body().path("tables").toString())
                .isEqualTo("[{\"table\":\"customers\",\"source\":\"public.customers\","
                        + "\"primaryKey\":[\"customerId\"],\"watermark\":null,\"since\":2}]");
        assertThat(time()).isEqualTo(api.get("/v1/clock").body().path("now").asText());
    }

    @Test
    void aSourceThatNoTableFollowsIsNotFound() {
        assertThat(api.get("/v1/sources/other").status()).isEqualTo(404);
        assertThat(api.post("/v1/sources/other/batches", "{}").status()).isEqualTo(404);
    }

    @Test
    void aBatchIsAppliedWithItsPosition() {
        Answer first = batch("null", "{'lsn':1}", put(1, "a"), put(2, "b"));
        Answer second = batch("{'lsn':1.0}", "{'lsn':2}", put(1, "c"), delete(2), delete(9));

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body().path("changes").asInt()).isEqualTo(2);
        assertThat(second.body().path("position").toString()).isEqualTo("{\"lsn\":2}");
        assertThat(second.body().path("changes").asInt()).isEqualTo(2);
        assertThat(second.body().path("version").asText())
                .isLessThan(second.body().path("nextVersion").asText());
        assertThat(api.get(SHOP).body().path("position").toString()).isEqualTo("{\"lsn\":2}");
        assertThat(towns()).isEqualTo("1 c");
    }

    @Test
    void aBatchThatIsSentTwiceIsAppliedOnce() {
        batch("null", "{'lsn':1}", put(1, "a"));
        Answer again = batch("null", "{'lsn':1}", put(1, "b"));

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.body().path("type").asText()).isEqualTo("tidemark:source-moved");
        assertThat(again.body().path("position").toString()).isEqualTo("{\"lsn\":1}");
        assertThat(towns()).isEqualTo("1 a");
    }

    @Test
    void aBatchMayMoveTheSourceAlone() {
        String watermark = time();
        Answer answer = api.post(BATCHES, body("null", "{'lsn':1}", "'" + watermark + "'", ""));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("changes").asInt()).isZero();
        assertThat(answer.body().path("version").isNull()).isTrue();
        assertThat(api.get(SHOP).body().path("watermark").asText()).isEqualTo(watermark);
        assertThat(api.get(SHOP).body().at("/tables/0/watermark").asText()).isEqualTo(watermark);
    }

    @Test
    void aWatermarkNeverGoesBackAndIsNeverAheadOfTheClockOrBefore1970() {
        String watermark = time();
        api.post(BATCHES, body("null", "{'lsn':1}", "'" + watermark + "'", ""));
        Answer earlier = api.post(BATCHES, body("{'lsn':1}", "{'lsn':2}", "'2001-01-01T00:00:00Z'", ""));
        Answer later = api.post(BATCHES, body("{'lsn':2}", "{'lsn':3}", "'2999-01-01T00:00:00Z'", ""));
        Answer ancient = api.post(BATCHES, body("{'lsn':2}", "{'lsn':3}", "'0001-01-02T00:00:00Z'", ""));

        assertThat(earlier.status()).isEqualTo(200);
        assertThat(later.status()).isEqualTo(400);
        assertThat(ancient.status()).isEqualTo(400);
        assertThat(api.get(SHOP).body().path("watermark").asText()).isEqualTo(watermark);
    }

    @Test
    void aTableThatBeginsToFollowASourceAgainHasNoWatermarkUntilABatchNamesIt() {
        String watermark = time();
        api.post(BATCHES, body("null", "{'lsn':1}", "'" + watermark + "'", ""));
        catalog("");
        catalog("source: {name: shop, table: public.customers}");
        Answer back = api.get(SHOP);
        api.post(BATCHES, body("{'lsn':1}", "{'lsn':2}", "'" + watermark + "'", ""));
        Answer unnamed = api.get(SHOP);
        api.post(
                BATCHES,
                "{'after':{'lsn':2},'position':{'lsn':3},'watermark':'" + watermark + "','tables':['customers']}");

        assertThat(back.body().at("/tables/0/watermark").isNull()).isTrue();
        assertThat(back.body().at("/tables/0/since").asLong()).isEqualTo(4);
        assertThat(unnamed.body().at("/tables/0/watermark").isNull()).isTrue();
        assertThat(api.get(SHOP).body().at("/tables/0/watermark").asText()).isEqualTo(watermark);
    }

    @Test
    void aLaterWatermarkThanThatOfTheBatchIsNeverPutOnATable() {
        String watermark = time();
        api.post(BATCHES, body("null", "{'lsn':2}", "'" + watermark + "'", ""));
        catalog("");
        catalog("source: {name: shop, table: public.customers}");
        String adding = "{'after':{'lsn':2},'position':{'lsn':3},'tables':['customers']";

        Answer without = api.post(BATCHES, adding + "}");
        Answer before = api.post(BATCHES, adding + ",'watermark':'2001-01-01T00:00:00Z'}");

        assertThat(without.status()).isEqualTo(409);
        assertThat(without.body().path("type").asText()).isEqualTo("tidemark:watermark-behind");
        assertThat(without.body().path("watermark").asText()).isEqualTo(watermark);
        assertThat(before.status()).isEqualTo(409);
        assertThat(api.get(SHOP).body().path("position").toString()).isEqualTo("{\"lsn\":2}");
        assertThat(api.post(BATCHES, "{'after':{'lsn':2},'position':{'lsn':3},'tables':[]}")
                        .status())
                .as("a table may be left out at any time")
                .isEqualTo(200);
    }

    @Test
    void membersThatTheSourceDidNotSendAreKept() {
        batch("null", "{'lsn':1}", "{'table':'customers','op':'put','row':{'customerId':1,'town':'a','text':'long'}}");
        Answer filled = batch("{'lsn':1}", "{'lsn':2}", keeping(1, "b"));

        assertThat(filled.status()).isEqualTo(200);
        assertThat(api.get(ROWS + "/1").body().toString())
                .isEqualTo("{\"customerId\":1,\"town\":\"b\",\"text\":\"long\"}");
    }

    @Test
    void whereThereIsNothingToKeepTheBatchIsRefused() {
        batch("null", "{'lsn':1}", put(2, "a"));
        Answer noRow = batch("{'lsn':1}", "{'lsn':2}", put(3, "c"), keeping(1, "b"));
        Answer noMember = batch("{'lsn':1}", "{'lsn':2}", keeping(2, "b"));

        assertThat(noRow.status()).isEqualTo(422);
        assertThat(noRow.body().path("type").asText()).isEqualTo("tidemark:nothing-to-keep");
        assertThat(noRow.body().path("table").asText()).isEqualTo("customers");
        assertThat(noRow.body().path("key").asInt()).isEqualTo(1);
        assertThat(noRow.body().path("change").asInt()).isEqualTo(1);
        assertThat(noMember.status()).isEqualTo(422);
        assertThat(noMember.detail()).contains("expected text in the row that is there");
        assertThat(towns()).isEqualTo("2 a");
        assertThat(api.get(SHOP).body().path("position").toString()).isEqualTo("{\"lsn\":1}");
    }

    @Test
    void aRowThatAnIndexCannotHoldIsRefusedUnlessTheSourceAdmitsIt() {
        String row = "{'table':'customers','op':'put','row':{'customerId':7,'town':[1]}}";
        Answer refused = batch("null", "{'lsn':1}", put(1, "a"), row);
        Answer admitted = api.post(
                BATCHES + "?admit_unindexable=true", body("null", "{'lsn':1}", "null", put(1, "a") + "," + row));

        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().path("type").asText()).isEqualTo("tidemark:row-not-indexable");
        assertThat(refused.body().path("key").asInt()).isEqualTo(7);
        assertThat(refused.detail()).contains("row 7 of table customers").contains("by_town");
        assertThat(admitted.status()).isEqualTo(200);
        assertThat(api.get(ROWS + "/7").status()).isEqualTo(200);
    }

    @Test
    void aSweepDeletesNoRowThatWasWrittenSince() {
        batch("null", "{'lsn':1}", put(1, "a"), put(2, "b"));
        String before =
                batch("{'lsn':1}", "{'lsn':2}").body().path("nextVersion").asText();
        batch("{'lsn':2}", "{'lsn':3}", put(2, "b"));

        Answer swept = batch("{'lsn':3}", "{'lsn':4}", sweep(1, before), sweep(2, before), sweep(3, before));

        assertThat(swept.status()).isEqualTo(200);
        assertThat(swept.body().path("changes").asInt()).isEqualTo(1);
        assertThat(towns()).isEqualTo("2 b");
    }

    @Test
    void aSweepDoesNotKeepARowThatTheWriterItselfCommittedOnceMore() throws Exception {
        batch("null", "{'lsn':1}", put(1, "a"), put(2, "b"));
        String first =
                batch("{'lsn':1}", "{'lsn':2}").body().path("nextVersion").asText();
        batch("{'lsn':2}", "{'lsn':3}", put(2, "b"));
        restate(1);

        Answer swept = batch("{'lsn':3}", "{'lsn':4}", sweep(1, first));

        assertThat(swept.status()).isEqualTo(409);
        assertThat(swept.body().path("type").asText()).isEqualTo("tidemark:rows-restated");
        assertThat(swept.body().path("restated").asText()).isGreaterThanOrEqualTo(first);
        assertThat(api.get(SHOP).body().path("restated")).isEqualTo(swept.body().path("restated"));
        assertThat(api.get(SHOP).body().path("position").toString()).isEqualTo("{'lsn':3}".replace('\'', '"'));

        String again =
                batch("{'lsn':3}", "{'lsn':5}").body().path("nextVersion").asText();
        Answer sweptAgain = batch("{'lsn':5}", "{'lsn':6}", sweep(1, again));

        assertThat(sweptAgain.status()).isEqualTo(200);
        assertThat(towns()).isEqualTo("2 b");
    }

    private void restate(int id) throws Exception {
        WriteRequest touch =
                WriteRequest.of("customers", new WriteCommand.Touch(TestTables.customerKey(id), List.of()), 0);
        assertThat(api.committer.submitOwn(touch, Duration.ofSeconds(5)).get()).allMatch(CommitOutcome::applied);
    }

    @Test
    void theRowsOfATableArePagedInKeyOrderWithTheirVersions() {
        batch("null", "{'lsn':1}", put(2, "b"), put(1, "a"));

        Answer first = api.get(ROWS + "?limit=1");
        Answer second =
                api.get(ROWS + "?limit=1&cursor=" + first.body().path("next").asText());

        assertThat(first.body().at("/rows/0/key").asInt()).isEqualTo(1);
        assertThat(first.body().at("/rows/0/version").asText())
                .isGreaterThan(second.body().at("/rows/0/version").asText());
    }

    @Test
    void aBatchThatIsNoneIsRefusedAndSaysWhy() {
        assertBad("[]", "expected an object");
        assertBad("{'position':{}}", "expected after");
        assertBad("{'after':null,'changes':[]}", "expected an object as position");
        assertBad("{'after':7,'position':{}}", "expected an object as after, but got the number 7");
        assertBad("{'after':null,'position':{},'more':1}", "but got [more]");
        assertBad("{'after':null,'more':[1,[2", "but got [more]");
        assertBad("{'after':null,'position':{},'watermark':'noon'}", "expected an RFC 3339 time as watermark");
        assertBad("{'after':null,'position':{},'tables':['movies']}", "expected a table that follows source shop");
        assertBad("{'after':null,'position':{},'changes':{}}", "expected a list of changes");
        assertBad("{'after':null,'position':{}} {}", "nothing after it");
        assertBad("{'after':null,'position':{},'position':{}}", "Duplicate");
        assertBadChange("7", "expected an object as change 0");
        assertBadChange("{'table':'movies'}", "expected a table that follows source shop, [customers], but got movies");
        assertBadChange("{'table':'customers','op':'truncate'}", "expected put or delete as op");
        assertBadChange("{'table':'customers','op':'put'}", "expected an object as row");
        assertBadChange("{'table':'customers','op':'put','row':{'town':'a'}}", "expected the primary key");
        assertBadChange("{'table':'customers','op':'put','row':{'customerId':1},'kept':[]}", "but got [kept]");
        assertBadChange("{'table':'customers','op':'delete','key':{},'ifVersionBefore':'x'}", "a version of 19 digits");
        assertThat(api.send("POST", BATCHES, ApiFixture.text("{}"), "Content-Type", "text/plain")
                        .status())
                .isEqualTo(415);
    }

    private void assertBadChange(String change, String detail) {
        assertBad("{'after':null,'position':{},'changes':[" + change + "]}", detail);
    }

    private void assertBad(String body, String detail) {
        Answer answer = api.post(BATCHES, body);
        assertThat(answer.status()).as(body).isEqualTo(400);
        assertThat(answer.detail()).as(body).contains(detail);
    }

    @Test
    void aRowOrABatchThatIsTooLargeIsRefused() {
        Answer row = batch("null", "{'lsn':1}", put(1, "x".repeat(2_500)));
        Answer body = batch(
                "null",
                "{'lsn':1}",
                IntStream.range(0, 100).mapToObj(id -> put(id, "a")).toArray(String[]::new));

        assertThat(row.status()).isEqualTo(413);
        assertThat(row.body().path("type").asText()).isEqualTo("tidemark:row-too-large");
        assertThat(row.body().path("key").asInt()).isEqualTo(1);
        assertThat(body.status()).isEqualTo(413);
    }

    private Answer catalog(String source) {
        return api.send(
                "PUT",
                "/v1/catalog",
                ApiFixture.text("{tables: {customers: {primaryKey: customerId, partitions: 4,"
                        + " indexes: {by_town: {key: [town], projection: all}}"
                        + (source.isEmpty() ? "" : ", " + source)
                        + "}, movies: {primaryKey: [title, year], partitions: 2}}}"),
                "Content-Type",
                "application/yaml",
                "If-Match",
                "*");
    }

    private Answer batch(String after, String position, String... changes) {
        return api.post(BATCHES, body(after, position, "null", String.join(",", changes)));
    }

    private static String body(String after, String position, String watermark, String changes) {
        return "{'after':" + after + ",'position':" + position + ",'watermark':" + watermark + ",'changes':[" + changes
                + "]}";
    }

    private static String put(int id, String town) {
        return "{'table':'customers','op':'put','row':{'customerId':" + id + ",'town':'" + town + "'}}";
    }

    private static String keeping(int id, String town) {
        return "{'table':'customers','op':'put','row':{'customerId':" + id + ",'town':'" + town + "'},'keep':['text']}";
    }

    private static String delete(int id) {
        return "{'table':'customers','op':'delete','key':{'customerId':" + id + "}}";
    }

    private static String sweep(int id, String before) {
        return "{'table':'customers','op':'delete','key':{'customerId':" + id + "},'ifVersionBefore':'" + before + "'}";
    }

    /** What the committer has come to, which it does soon after the start. */
    private String time() {
        return Stream.generate(() -> api.get(SHOP).body().path("time").asText())
                .limit(1_000)
                .filter(time -> !time.startsWith("1970"))
                .findFirst()
                .orElseThrow();
    }

    private String towns() {
        return IntStream.range(0, 10)
                .mapToObj(id -> api.get(ROWS + "/" + id))
                .filter(row -> row.status() == 200)
                .map(row -> row.body().path("customerId").asText() + " "
                        + row.body().path("town").asText())
                .collect(Collectors.joining(", "));
    }
}
