package dev.tidemark.source.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.client.Tidemark;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.source.check.Lack;
import dev.tidemark.source.feed.Follower;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.http.HttpWriter;
import dev.tidemark.source.testkit.FakeWriter;
import dev.tidemark.testkit.ManualClock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("slow")
class TopicFollowerTest {
    private static final String ITEMS = "db.public.items";
    private static final String MESSAGES = "db.message";
    private final FakeWriter writer = new FakeWriter().following("items", "public.items", "id");
    private final FakeTopics topics = new FakeTopics().create(ITEMS, "1", 2).create(MESSAGES, "2", 1);
    private final Tidemark client = Tidemark.connect(Tidemark.options()
            .writer(writer.url().toString())
            .mapper(RowJson.mapper())
            .build());
    private final ManualClock clock = new ManualClock(Instant.now());
    private final List<String> said = new ArrayList<>();
    private TopicFollower follower = follower(true);

    @AfterEach
    void close() {
        client.close();
        writer.close();
    }

    private TopicFollower follower(boolean exactlyOnce) {
        Progress progress = new Said();
        return new TopicFollower(
                new HttpWriter(client, "shop", progress),
                topics,
                new Envelope("shop", "tidemark_shop", "tidemark.markers"),
                exactlyOnce,
                progress,
                clock);
    }

    /** Keeps warnings. */
    private final class Said implements Progress {
        @Override
        public void started(boolean snapshot) {}

        @Override
        public void stopped() {}

        @Override
        public void began(String why, Map<String, Long> rows) {
            said.add("load, because " + why);
        }

        @Override
        public void read(String table) {}

        @Override
        public void sent(int changes, long bytes, Optional<Instant> watermark) {}

        @Override
        public void ended() {
            said.add("ended");
        }

        @Override
        public void warn(String text) {
            said.add(text);
        }
    }

    private void run() throws InterruptedException {
        for (int step = 0; step < 6; step++) {
            follower.doWork();
        }
    }

    /** What a process does that begins where another was killed. */
    private void restart(boolean exactlyOnce) throws InterruptedException {
        follower = follower(exactlyOnce);
        run();
    }

    private void put(int partition, int id, String name) {
        topics.add(ITEMS, partition, key(id), event("u", "null", "{\"id\":" + id + ",\"name\":\"" + name + "\"}"));
    }

    private static String key(int id) {
        return "{\"id\":" + id + "}";
    }

    private static String event(String op, String before, String after) {
        return "{\"op\":\"" + op + "\",\"before\":" + before + ",\"after\":" + after
                + ",\"ts_ms\":1,\"source\":{\"db\":\"d\",\"schema\":\"public\",\"table\":\"items\",\"ts_ms\":1}}";
    }

    private void mark(Instant time) {
        String content =
                Base64.getEncoder().encodeToString(("{\"time\":\"" + time + "\",\"columns\":\"\"}").getBytes(UTF_8));
        topics.add(
                MESSAGES,
                0,
                null,
                "{\"op\":\"m\",\"source\":{\"schema\":\"\",\"table\":\"\"},\"message\":{\"prefix\":\"tidemark_shop\","
                        + "\"content\":\"" + content + "\"}}");
    }

    private void assertEnded(String why) {
        assertThat(follower.ending().map(Follower.Ending::why))
                .hasValueSatisfying(said -> assertThat(said).contains(why));
    }

    @Test
    void rowsFollowTheTopicsAndWhatIsInThemNoMoreIsGone() throws Exception {
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 9).put("name", "stray"));
        put(0, 1, "a");
        put(1, 2, "b");
        put(0, 1, "c");
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("1", "2");
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("c");
        topics.add(ITEMS, 1, key(2), event("d", "{\"id\":2,\"name\":null}", "null"));
        topics.add(ITEMS, 1, key(2), null);
        topics.add(MESSAGES, 0, "{\"serverName\":\"db\"}", "{\"ts_ms\":5}");
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("1");
        assertThat(said).containsExactly("load, because no rows were read so far", "ended");
    }

    @Test
    void rowsThatTheWriterCommittedOnceMoreWhileAllWasReadLeadToAllBeingReadAgain() throws Exception {
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 9).put("name", "stray"));
        writer.restateSoon();
        put(0, 1, "a");

        run();
        run();

        assertThat(writer.rows("items").keySet()).containsExactly("1");
        assertThat(said)
                .containsExactly(
                        "load, because no rows were read so far",
                        "load, because the last time that all was read did not end",
                        "ended");
    }

    @Test
    void aDeletionOfWhichCompactionHasLeftOnlyTheRecordWithoutValueIsADeletion() throws Exception {
        put(1, 1, "a");
        put(1, 2, "b");
        put(1, 3, "c");
        run();
        topics.add(ITEMS, 1, key(2), null);
        topics.add("db.message", 0, key(1), null);
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("1", "3");
        topics.add(ITEMS, 1, "{\"schema\":{\"type\":\"struct\"},\"payload\":" + key(3) + "}", null);
        restart(true);
        assertThat(writer.rows("items").keySet()).containsExactly("1");
        topics.add(ITEMS, 1, key(1), null);
        put(1, 1, "again");
        run();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("again");
        assertThat(said).containsExactly("load, because no rows were read so far", "ended");
    }

    @Test
    void theRecordWithoutValueBehindItsDeletionIsNoChange() throws Exception {
        put(1, 1, "a");
        run();
        topics.add(ITEMS, 1, key(1), event("d", "{\"id\":1}", "null"));
        run();
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 1));
        topics.add(ITEMS, 1, key(1), null);
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("1");
        topics.add(ITEMS, 1, key(1), null);
        run();
        assertThat(writer.rows("items").keySet()).isEmpty();
    }

    @Test
    void aChangeOfTheKeyLeavesTheNewRowAlone() throws Exception {
        put(0, 1, "a");
        run();
        topics.add(ITEMS, 0, key(1), event("d", "{\"id\":1,\"name\":\"a\"}", "null"));
        topics.add(ITEMS, 0, key(1), null);
        topics.add(ITEMS, 0, key(2), event("c", "null", "{\"id\":2,\"name\":\"a\"}"));
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("2");
        topics.add(ITEMS, 0, key(2), null);
        topics.add(ITEMS, 0, key(3), event("c", "null", "{\"id\":3,\"name\":\"a\"}"));
        restart(true);
        assertThat(writer.rows("items").keySet()).containsExactly("3");
    }

    @Test
    void aDeletionOfAnUncertainTableLeadsToAllBeingReadAgain() throws Exception {
        put(1, 1, "a");
        String other = event("u", "null", "{\"id\":2}").replace("items", "others");
        topics.add(ITEMS, 1, key(2), other);
        run();
        topics.add(ITEMS, 1, key(2), event("d", "{\"id\":2}", "null").replace("items", "others"));
        run();
        topics.add(ITEMS, 1, key(2), null);
        topics.add(ITEMS, 1, "{\"elsewhere\":1}", null);
        restart(true);
        assertThat(said).containsOnlyOnce("ended");
        topics.add(ITEMS, 1, key(2), null);
        run();
        assertThat(said)
                .containsOnlyOnce("load, because topic " + ITEMS + " has a deletion without its event,"
                        + " and its row is not certain");
        assertThat(said.stream().filter("ended"::equals)).hasSize(2);
        assertThat(writer.rows("items").keySet()).containsExactly("1");
    }

    @Test
    void tablesOfATopicAreApartByTheSchemasOfTheirKeys() throws Exception {
        String schema = "{\"schema\":{\"name\":\"db.public.%s.Key\"},\"payload\":{\"id\":%d}}";
        for (int id = 1; id <= 2; id++) {
            String row = event("u", "null", "{\"id\":" + id + "}");
            topics.add(ITEMS, 1, schema.formatted("items", id), row);
            topics.add(ITEMS, 1, schema.formatted("others", id), row.replace("\"items", "\"others"));
        }
        run();
        topics.add(ITEMS, 1, schema.formatted("others", 1), null);
        topics.add(ITEMS, 1, schema.formatted("unseen", 1), null);
        topics.add(ITEMS, 1, schema.formatted("items", 2), null);
        restart(true);
        assertThat(writer.rows("items").keySet()).containsExactly("1");
        assertThat(said).containsExactly("load, because no rows were read so far", "ended");
    }

    @Test
    void aPositionWithoutTheTablesOfCompactedTopicsLeadsToAllBeingReadAgain() throws Exception {
        put(1, 1, "a");
        run();
        writer.editPosition(
                position -> position.withObject("/topics").forEach(topic -> ((ObjectNode) topic).remove("tables")));
        topics.add(ITEMS, 1, key(1), null);
        restart(true);
        assertThat(writer.rows("items").keySet()).containsExactly("1");
        topics.forgets = Optional.of(Duration.ofHours(1));
        restart(true);
        assertThat(said).anyMatch(text -> text.contains("an older version"));
        assertThat(writer.rows("items")).isEmpty();
        restart(true);
        assertThat(said.stream().filter("ended"::equals)).hasSize(2);
    }

    @Test
    void aKilledProcessLeavesOffsetsWithWhichNothingIsAppliedTwice() throws Exception {
        put(0, 1, "a");
        run();
        int before = writer.puts();
        put(0, 1, "b");
        put(1, 2, "c");
        restart(true);
        assertThat(writer.puts() - before).isEqualTo(2);
        assertThat(said).containsOnlyOnce("ended");
        writer.moveOn();
        put(0, 1, "d");
        run();
        assertThat(follower.ending())
                .hasValueSatisfying(ending -> assertThat(ending.code()).isEqualTo(ServiceProcess.REPLACED));
    }

    @Test
    void aMarkerProvesOnceAllPartitionsAreReadToWhereTheyEndedBehindIt() throws Exception {
        run();
        assertThat(writer.watermarkOf("items")).isEmpty();
        topics.hold(ITEMS, 1);
        put(1, 2, "late");
        Instant time = Instant.now();
        mark(time);
        run();
        assertThat(writer.watermarkOf("items")).isEmpty();
        topics.release();
        run();
        assertThat(writer.row("items", "2").path("name").asText()).isEqualTo("late");
        assertThat(writer.watermarkOf("items")).contains(time);
        mark(Instant.now().plusSeconds(60));
        run();
        assertThat(writer.watermarkOf("items")).contains(time);
        int before = writer.batches();
        mark(Instant.now());
        run();
        assertThat(writer.batches() - before)
                .as("its place, and what it proves")
                .isEqualTo(2);
        assertThat(said).anyMatch(text -> text.contains("later than the writer's clock"));
    }

    @Test
    void aMarkerThatASnapshotHasReadProvesNothing() throws Exception {
        topics.create("db.tidemark.markers", "3", 1);
        Instant time = Instant.now();
        String row =
                "{\"op\":\"r\",\"before\":null,\"after\":{\"source\":\"shop\",\"content\":\"{\\\"time\\\":\\\"" + time
                        + "\\\"}\"},\"source\":{\"schema\":\"tidemark\",\"table\":\"markers\",\"snapshot\":\"true\","
                        + "\"lsn\":5}}";
        topics.add("db.tidemark.markers", 0, "{\"source\":\"shop\"}", row);
        run();
        assertThat(writer.watermarkOf("items")).isEmpty();
        topics.add("db.tidemark.markers", 0, "{\"source\":\"shop\"}", row.replace("\"true\"", "\"false\""));
        run();
        assertThat(writer.watermarkOf("items")).contains(time);
    }

    @Test
    void withoutTransactionsNothingIsAProof() throws Exception {
        follower = follower(false);
        put(0, 1, "a");
        mark(Instant.now());
        run();
        put(0, 1, "b");
        mark(Instant.now());
        run();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("b");
        assertThat(writer.watermark()).isEmpty();
    }

    @Test
    void aTableThatFollowsAgainIsReadAgainAlsoWithoutAProof() throws Exception {
        put(0, 1, "a");
        put(1, 2, "b");
        restart(false);
        writer.followAgain("items");
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 9).put("name", "of a client"));
        restart(false);
        assertThat(said).contains("load, because other tables follow the source now");
        assertThat(writer.rows("items").keySet()).containsExactly("1", "2");
    }

    @Test
    void aPositionOfAnEarlierVersionIsGoneOnFromAndLearnsSinceWhenTablesFollow() throws Exception {
        put(0, 1, "a");
        restart(false);
        writer.editPosition(position -> position.remove("since"));
        put(1, 2, "b");
        restart(false);
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.rows("items").keySet()).containsExactly("1", "2");
        assertThat(said.stream().filter("ended"::equals))
                .as("it reads all once")
                .hasSize(1);

        writer.followAgain("items");
        restart(false);
        assertThat(said.stream().filter("ended"::equals)).hasSize(2);
    }

    @Test
    void theWatermarkIsAboutNoTableWhileAllIsReadAgain() throws Exception {
        put(0, 1, "a");
        mark(Instant.now());
        run();
        assertThat(writer.watermarkOf("items")).isPresent();
        topics.create("db.public.more", "3", 1);
        topics.hold("db.public.more", 0);
        topics.add("db.public.more", 0, key(1), event("u", "null", "{\"id\":1,\"name\":\"z\"}"));
        restart(true);
        assertThat(said).contains("load, because it reads other topics now");
        assertThat(writer.watermarkOf("items")).isEmpty();
        topics.release();
        run();
        assertThat(writer.watermarkOf("items")).isPresent();
    }

    @Test
    void deletionsThatMayHaveLeftTheTopicsLeadToAllBeingReadAgain() throws Exception {
        topics.forgets = Optional.of(Duration.ofHours(1));
        put(0, 1, "a");
        run();
        restart(true);
        assertThat(said).containsOnlyOnce("ended");
        topics.forgets = Optional.of(Duration.ofNanos(1));
        restart(true);
        assertThat(said).contains("load, because deletions may have left the topics unread, by delete.retention.ms");
    }

    @Test
    void aTopicThatGrowsBeforeEachLookIsNotReadFromItsBeginningAgain() throws Exception {
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofMinutes(1));
        topics.beforeLook = () -> put(0, 1, "busy");
        run();
        for (int look = 0; look < 20; look++) {
            clock.advance(Duration.ofSeconds(11));
            run();
        }
        assertThat(said).containsExactly("load, because no rows were read so far", "ended");
        topics.hold(ITEMS, 0);
        for (int look = 0; look < 10; look++) {
            clock.advance(Duration.ofSeconds(11));
            run();
        }
        assertThat(said).contains("load, because deletions may have left the topics unread, by delete.retention.ms");
    }

    @Test
    void lostRecordsEndTheSource() throws Exception {
        put(0, 1, "a");
        run();
        topics.create(ITEMS, "other", 2);
        restart(true);
        assertEnded("was created again");
        topics.create(ITEMS, "1", 2);
        restart(true);
        assertEnded("has lost records that were read");
        topics.create(ITEMS, "1", 3);
        restart(true);
        assertEnded("had 2 partitions and has 3");
    }

    @Test
    void recordsThatWereRemovedAfterTheyWereReadAreNoLoss() throws Exception {
        put(0, 1, "a");
        put(1, 2, "b");
        mark(Instant.now());
        topics.commit();
        run();
        topics.cut = 2;
        restart(true);
        put(0, 3, "c");
        run();
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.rows("items").keySet()).containsExactly("1", "2", "3");
        topics.cut = 4;
        restart(true);
        assertEnded("were removed before they were read");
    }

    @Test
    void aSecondSnapshotEndsTheSourceBecauseRowsMayBeGoneSince() throws Exception {
        String row = event("r", "null", "{\"id\":1,\"name\":\"a\"}");
        topics.add(ITEMS, 0, key(1), row.replace("\"db\"", "\"snapshot\":\"true\",\"lsn\":5,\"db\""));
        topics.add(ITEMS, 1, key(2), row.replace("\"db\"", "\"snapshot\":\"last\",\"lsn\":5,\"db\""));
        topics.add(ITEMS, 1, key(3), row.replace("\"db\"", "\"snapshot\":\"incremental\",\"lsn\":7,\"db\""));
        run();
        assertThat(follower.ending()).isEmpty();
        topics.add(ITEMS, 0, key(1), row.replace("\"db\"", "\"snapshot\":\"first\",\"lsn\":9,\"db\""));
        restart(true);
        assertEnded("more than once");
    }

    @Test
    void topicsThatHaveLostTheirFirstRecordsAreRefused() throws Exception {
        Topics.Topic cut = new Topics.Topic("1", Optional.empty(), List.of(new Topics.Range(5, 9)));
        assertThat(TopicRules.lacks(new Topics.Found(Map.of("cut", cut)), true, List.of()))
                .singleElement()
                .satisfies(lack -> assertThat(lack.serious()).isTrue())
                .satisfies(lack -> assertThat(lack.what()).contains("topic cut has lost its first records"));
        assertThat(TopicRules.lacks(topics.look(), false, List.of("public.items", "public.orders")))
                .noneMatch(Lack::serious)
                .extracting(Lack::what)
                .containsExactly(TopicRules.lacksTopic("public.orders"), TopicRules.NO_PROOF);
        topics.cut = 1;
        run();
        assertEnded("has lost its first records");
    }

    @Test
    void changesOfTheTopicsUnderWayAreNoticed() throws Exception {
        run();
        topics.create(ITEMS, "other", 2);
        run();
        assertThat(follower.ending()).isEmpty();
        clock.advance(Duration.ofSeconds(11));
        run();
        assertEnded("was created again");
    }

    @Test
    void aBatchThatKeepsTooManyColumnsIsSentInSmallerOnes() throws Exception {
        for (int id = 1; id <= 40; id++) {
            put(0, id, "a");
        }
        run();
        writer.keepAtMost(3);
        for (int id = 1; id <= 40; id++) {
            topics.add(
                    ITEMS,
                    0,
                    key(id),
                    event("u", "null", "{\"id\":" + id + ",\"size\":7,\"name\":\"__debezium_unavailable_value\"}"));
        }
        run();
        run();
        assertThat(writer.rows("items").values())
                .hasSize(40)
                .allSatisfy(row -> assertThat(row.path("size").asInt()).isEqualTo(7))
                .allSatisfy(row -> assertThat(row.path("name").asText()).isEqualTo("a"));
    }

    private void putWithoutName(int id) {
        topics.add(
                ITEMS,
                0,
                key(id),
                event("u", "null", "{\"id\":" + id + ",\"size\":7,\"name\":\"__debezium_unavailable_value\"}"));
    }

    /** Compaction removes a change of a row while the source is away, and the next record lacks its column. */
    private void missAChange(Duration away) throws InterruptedException {
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofHours(1));
        put(0, 1, "a");
        run();
        put(0, 1, "b");
        topics.compact(ITEMS, 0, 1);
        putWithoutName(1);
        clock.advance(away);
    }

    private void assertEndedAtUnsent(String why) {
        assertEnded("lacks a column that did not change, and compaction " + why);
        assertThat(follower.ending())
                .hasValueSatisfying(ending -> assertThat(ending.code()).isEqualTo(ServiceProcess.BAD_INPUT));
        assertThat(writer.row("items", "1").has("size")).isFalse();
    }

    @Test
    void aColumnThatWasNotSentIsNotTakenFromBeforeACompaction() throws Exception {
        missAChange(Duration.ofMinutes(2));
        restart(true);
        assertEndedAtUnsent("may have removed a record that changed it, as min.compaction.lag.ms of topic " + ITEMS
                + " was 0 and the source had last read all at ");
    }

    @Test
    void aLongerLagDoesNotExcuseAnAbsenceBefore() throws Exception {
        missAChange(Duration.ofMinutes(2));
        topics.spares = Duration.ofHours(1);
        restart(true);
        assertEndedAtUnsent("may have removed a record that changed it");
    }

    @Test
    void aLagThatAnEarlierVersionDidNotStoreExcusesNoAbsence() throws Exception {
        topics.spares = Duration.ofHours(1);
        missAChange(Duration.ofMinutes(2));
        writer.editPosition(
                position -> position.withObject("/topics").forEach(topic -> ((ObjectNode) topic).remove("spares")));
        restart(true);
        assertEndedAtUnsent("may have removed a record that changed it");
    }

    @Test
    void aColumnThatWasNotSentIsNotTakenFromARowOfBeforeAllWasRead() throws Exception {
        topics.forgets = Optional.of(Duration.ofHours(1));
        topics.spares = Duration.ofHours(1);
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 1).put("name", "a"));
        put(0, 1, "b");
        putWithoutName(1);
        topics.compact(ITEMS, 0, 0);
        run();
        assertEndedAtUnsent("has removed the record that had its value, as min.compaction.lag.ms of topic " + ITEMS);
    }

    @Test
    void aColumnThatWasNotSentIsKeptFromTheRowThatWasReadFromTheBeginning() throws Exception {
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofHours(1));
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 1).put("name", "a"));
        put(0, 1, "b");
        topics.commit();
        putWithoutName(1);
        run();
        clock.advance(Duration.ofMinutes(5));
        topics.commit();
        putWithoutName(1);
        run();
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("b");
        assertThat(writer.puts()).isEqualTo(3);
    }

    /** A load of five minutes has just ended, and what came in that time is still to be read. */
    private void loadSlowly() throws InterruptedException {
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofHours(1));
        put(0, 1, "a");
        topics.commit();
        put(1, 2, "b");
        topics.hold(ITEMS, 1);
        run();
        clock.advance(Duration.ofMinutes(5));
        topics.release();
        follower.doWork();
        assertThat(said).contains("ended");
    }

    @Test
    void aColumnThatWasNotSentIsKeptWhereTheSourceBeginsAgainBehindALoad() throws Exception {
        loadSlowly();
        put(1, 3, "c");
        topics.hold(ITEMS, 1);
        putWithoutName(1);
        restart(true);
        for (int look = 0; look < 10; look++) {
            clock.advance(Duration.ofSeconds(11));
            run();
        }
        putWithoutName(1);
        restart(true);
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("a");
        assertThat(writer.puts()).isEqualTo(4);
    }

    @Test
    void aLoadDoesNotExcuseAnAbsenceBehindIt() throws Exception {
        loadSlowly();
        put(0, 1, "b");
        topics.compact(ITEMS, 0, 2);
        putWithoutName(1);
        clock.advance(Duration.ofMinutes(2));
        restart(true);
        assertEndedAtUnsent("may have removed a record that changed it");
    }

    @Test
    void aColumnThatWasNotSentIsKeptWhileTheSourceIsHardlyAway() throws Exception {
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofHours(1));
        put(0, 1, "a");
        run();
        for (int look = 0; look < 10; look++) {
            clock.advance(Duration.ofSeconds(11));
            topics.commit();
            putWithoutName(1);
            run();
        }
        for (int look = 0; look < 10; look++) {
            clock.advance(Duration.ofSeconds(11));
            run();
        }
        clock.advance(Duration.ofSeconds(30));
        topics.commit();
        putWithoutName(1);
        restart(true);
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("a");
        assertThat(writer.puts()).isEqualTo(12);
    }

    @Test
    void aColumnThatWasNotSentIsKeptForAsLongAsCompactionSparesRecords() throws Exception {
        topics.spares = Duration.ofMinutes(30);
        writer.clock(clock);
        topics.forgets = Optional.of(Duration.ofHours(1));
        put(0, 1, "a");
        run();
        topics.commit();
        putWithoutName(1);
        clock.advance(Duration.ofMinutes(30));
        restart(true);
        assertThat(follower.ending()).isEmpty();
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("a");
    }

    @Test
    void aCompactedTopicWithoutALagIsNamed() throws Exception {
        topics.forgets = Optional.of(Duration.ofHours(1));
        assertThat(TopicRules.lacks(topics.look(), true, List.of("public.items")))
                .noneMatch(Lack::serious)
                .extracting(Lack::what)
                .singleElement()
                .asString()
                .startsWith(MESSAGES + ", " + ITEMS + ": compacted with a min.compaction.lag.ms of 0");
        topics.spares = Duration.ofHours(1);
        assertThat(TopicRules.lacks(topics.look(), true, List.of("public.items")))
                .isEmpty();
    }

    @Test
    void rowsOfATableWithoutATopicStayAndTheirFreshnessIsUnknown() throws Exception {
        writer.following("orders", "public.orders", "id");
        writer.plant("orders", RowJson.mapper().createObjectNode().put("id", 7));
        put(0, 1, "a");
        mark(Instant.now());
        run();
        assertThat(said).anyMatch(text -> text.contains("a name that ends with .public.orders"));
        assertThat(writer.rows("orders").keySet()).containsExactly("7");
        assertThat(writer.watermarkOf("items")).isPresent();
        assertThat(writer.watermarkOf("orders")).isEmpty();
        restart(true);
        assertThat(said.stream().filter("ended"::equals)).hasSize(1);
    }

    @Test
    void aTableOfWhichATopicOfAnotherNameBringsRecordsIsFollowed() throws Exception {
        writer.following("orders", "public.orders", "id");
        writer.plant("orders", RowJson.mapper().createObjectNode().put("id", 7));
        mark(Instant.now());
        run();
        topics.add(ITEMS, 0, key(8), event("u", "null", "{\"id\":8}").replace("\"items", "\"orders"));
        restart(true);
        restart(true);
        mark(Instant.now());
        run();
        assertThat(said).contains("load, because other tables follow the source now");
        assertThat(writer.rows("orders").keySet()).containsExactly("8");
        assertThat(writer.watermarkOf("orders")).isPresent();
    }

    @Test
    void anEmptyTopicWithTheNameOfATableSaysThatItHasNoRows() throws Exception {
        writer.following("orders", "public.odd orders", "id");
        writer.plant("orders", RowJson.mapper().createObjectNode().put("id", 7));
        topics.create("db.public.odd_orders", "3", 1);
        mark(Instant.now());
        run();
        assertThat(writer.rows("orders")).isEmpty();
        assertThat(writer.watermarkOf("orders")).isPresent();
    }

    @Test
    void recordsWhoseKeysDoNotKeepARowInOnePartitionAreRefused() throws Exception {
        String row = event("u", "null", "{\"id\":1,\"code\":2}");
        topics.add(ITEMS, 1, null, row);
        run();
        assertThat(said)
                .contains("changes of public.items in partitions of topic " + ITEMS + " have no order: the primary key"
                        + " in the catalog is id, and the key of a record has no column; trying again");
        topics.create(ITEMS, "1", 2);
        topics.add(ITEMS, 1, "{\"id\":1,\"code\":2}", row);
        restart(true);
        assertThat(said).anyMatch(text -> text.contains("the key of a record has code, id"));
        assertThat(writer.rows("items")).isEmpty();
    }

    @Test
    void onePartitionKeepsTheOrderOfRecordsWithAnyKey() throws Exception {
        String row = event("u", "null", "{\"id\":1,\"code\":2}");
        topics.create(ITEMS, "1", 1);
        topics.add(ITEMS, 0, null, row);
        topics.add(ITEMS, 0, "{\"code\":2}", row.replace("\"code\":2", "\"code\":3"));
        run();
        assertThat(writer.row("items", "1").path("code").asInt()).isEqualTo(3);
    }

    @Test
    void aKeyOfSomeColumnsOfThePrimaryKeyKeepsARowInOnePartition() throws Exception {
        writer.following("items", "public.items", "id", "code");
        topics.add(ITEMS, 1, key(1), event("u", "null", "{\"id\":1,\"code\":2}"));
        topics.add(
                ITEMS,
                1,
                "{\"id\":1,\"__dbz__physicalTableIdentifier\":\"items\"}",
                event("u", "null", "{\"id\":1,\"code\":3}"));
        run();
        assertThat(writer.rows("items").keySet()).containsExactly("1,2", "1,3");
    }

    @Test
    void whatTheTopicsLackIsNamed() throws Exception {
        topics.add(ITEMS, 0, key(1), event("u", "null", "{\"id\":1,\"name\":\"__debezium_unavailable_value\"}"));
        run();
        assertEnded("lacks a column");
        topics.create(ITEMS, "1", 2);
        topics.add(ITEMS, 0, key(1), "{\"id\":1,\"name\":\"bare\"}");
        restart(true);
        assertThat(said).anyMatch(text -> text.contains("the record 0 of db.public.items-0 is no change event"));
        topics.create(ITEMS, "1", 2);
        topics.add(ITEMS, 1, null, event("t", "null", "null"));
        restart(true);
        assertThat(said).anyMatch(text -> text.contains("a truncation of public.items has no order"));
    }
}
