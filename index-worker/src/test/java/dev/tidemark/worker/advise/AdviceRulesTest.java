package dev.tidemark.worker.advise;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.index.Condition;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.RowFilter;
import dev.tidemark.index.UnindexableRowException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.worker.advise.Advice.Kind;
import dev.tidemark.worker.advise.Advice.Saving;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class AdviceRulesTest {
    private static final Usage ASKED = usage(50, 0, Duration.ofHours(2));
    private static final KeyShape WELL_SPREAD = shape(10_000, 4_000, true, 12);

    @Test
    void saysNothingOfAnIndexThatIsWellSpreadAndAsked() {
        assertThat(AdviceRules.of(facts("whole", WELL_SPREAD, ASKED))).isEmpty();
    }

    @Test
    void leavesOutAValueThatNearlyAllEntriesHave() {
        Advice advice = only(facts("by_town", shape(10_000, 30, true, 9_400), ASKED));

        assertThat(advice.kind()).isEqualTo(Kind.ONE_VALUE);
        assertThat(advice.text()).contains("94.0 %", "where: {town: {ne: \"v0\"}}");
        assertThat(advice.saving()).isEqualTo(new Saving(9_400, 282_000, 1_880, 0));
    }

    @Test
    void advisesNoWhereForElementsBecauseItWouldLeaveOutEveryRow() throws UnindexableRowException {
        IndexDefinition byActor = Tables.films().index("by_actor").orElseThrow();
        RowFilter advised = new RowFilter(List.of(
                new Condition(FieldPath.parse("cast"), Condition.Operator.NE, List.of(new FieldValue.Text("v0")))));
        IndexDefinition empty = new IndexDefinition("films", "by_actor", byActor.key(), byActor.projection(), advised);
        RowDocument row = RowDocument.stored("{\"cast\":[\"v0\",\"v1\"]}".getBytes(StandardCharsets.UTF_8));
        assertThat(new EntryDeriver(byActor).derive(key("Casablanca"), row).keys())
                .hasSize(2);
        assertThat(new EntryDeriver(empty).derive(key("Casablanca"), row).keys())
                .isEmpty();

        Advice advice = only(facts(byActor, shape(10_000, 30, true, 9_400), ASKED));

        assertThat(advice.kind()).isEqualTo(Kind.ONE_VALUE);
        assertThat(advice.text()).contains("94.0 % of its entries have cast \"v0\"; index a field of only the other");
        assertThat(List.of(advice.text(), advice.guarded())).noneMatch(text -> text.contains("with where"));
        Usage heavy = changed(1_000, 16, Map.of(key("v0"), 310L));
        assertThat(only(facts(byActor, WELL_SPREAD, heavy)).text())
                .endsWith("begin its key with a part that has more values");
    }

    @Test
    void doesNotLeaveOutAValueBelowNineTenths() {
        assertThat(AdviceRules.of(facts("by_town", shape(10_000, 30, true, 8_999), ASKED)))
                .isEmpty();
    }

    @Test
    void namesAKeyOfOnePartThatTellsFewRowsApart() {
        Advice advice = only(facts("whole", shape(10_000, 4, true, 5_000), ASKED));

        assertThat(advice.kind()).isEqualTo(Kind.NOT_DISCRIMINATING);
        assertThat(advice.text()).contains("4 values over 10000 entries", "2500");
        assertThat(advice.saving().entries()).isEqualTo(10_000);
    }

    @Test
    void aKeyOfTwoPartsMayBeginWithFewValues() {
        assertThat(AdviceRules.of(facts("by_town", shape(10_000, 4, true, 5_000), ASKED)))
                .isEmpty();
    }

    @Test
    void doesNotCallValuesFewThatWereNotAllSeen() {
        assertThat(AdviceRules.of(facts("whole", shape(10_000, 4, false, 5_000), ASKED)))
                .isEmpty();
    }

    @Test
    void aValueThatEveryEntryHasIsNoneToLeaveOut() {
        assertThat(only(facts("whole", shape(10_000, 1, true, 10_000), ASKED)).kind())
                .isEqualTo(Kind.NOT_DISCRIMINATING);
    }

    @Test
    void aSmallIndexMayBeSpreadInAnyWay() {
        assertThat(AdviceRules.of(facts("whole", shape(999, 1, true, 999), ASKED)))
                .isEmpty();
    }

    @Test
    void namesAKeyThatMostUpdatesChange() {
        Advice advice = only(facts("by_town", WELL_SPREAD, updates(1_000, 750)));

        assertThat(advice.kind()).isEqualTo(Kind.VOLATILE);
        assertThat(advice.text()).contains("75.0 % of 1000 updates", "50 queries");
        assertThat(advice.saving()).isEqualTo(new Saving(0, 0, 1_500, 0));
    }

    @Test
    void dropsNoVolatileIndexOfWhichTooLittleIsKnown() {
        Usage young = new Usage(0, 0, 1_000, 750, Duration.ofSeconds(5));

        assertThat(only(facts("by_town", WELL_SPREAD, young)).text()).endsWith("key it by fields that rarely change");

        Usage old = new Usage(0, 0, 1_000, 750, Duration.ofMinutes(61));
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, old)).get(0).text())
                .endsWith("or drop it, because no query has used it so far");
    }

    @Test
    void aKeyThatHalfOfTheUpdatesChangeStays() {
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, updates(1_000, 500))))
                .isEmpty();
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, updates(99, 99))))
                .isEmpty();
    }

    @Test
    void namesAnIndexThatNobodyAskedForAnHour() {
        Usage silent = usage(0, 0, Duration.ofMinutes(61));
        Advice advice = only(facts("by_town", WELL_SPREAD, silent));

        assertThat(advice.kind()).isEqualTo(Kind.NEVER_QUERIED);
        assertThat(advice.text()).contains("61 minutes at any worker that has shards now");
        assertThat(advice.saving()).isEqualTo(new Saving(10_000, 300_000, 2_000, 0));
    }

    @Test
    void withinAnHourItIsTooEarlyToSayThatNobodyAsks() {
        IndexFacts young = facts("by_town", WELL_SPREAD, usage(0, 0, Duration.ofHours(1)));

        assertThat(AdviceRules.of(young)).isEmpty();
        assertThat(AdviceRules.isTooEarly(young)).isTrue();
        assertThat(AdviceRules.isTooEarly(facts("by_town", WELL_SPREAD, ASKED))).isFalse();
    }

    @Test
    void makesAReferenceOfEntriesWhoseRowsAreAlwaysFetched() {
        Advice advice = only(facts("whole", WELL_SPREAD, usage(20, 20, Duration.ofHours(2))));

        assertThat(advice.kind()).isEqualTo(Kind.KEYS_ONLY);
        assertThat(advice.saving().bytes()).isEqualTo(100_000);
    }

    @Test
    void callsNoFieldUnusedWhileAnotherWorkerIsSilentOrItWasWatchedForAShortTime() {
        assertThat(AdviceRules.of(facts("whole", WELL_SPREAD, usage(20, 20, Duration.ZERO))))
                .isEmpty();
        IndexDefinition list = Tables.films().index("by_actor").orElseThrow();
        assertThat(AdviceRules.of(facts(list, WELL_SPREAD, usage(20, 20, Duration.ofHours(1)))))
                .isEmpty();
    }

    @Test
    void coversAReferenceWhoseRowsAreMostlyFetched() {
        Advice advice = only(facts("by_town", WELL_SPREAD, usage(20, 11, Duration.ofHours(2))));

        assertThat(advice.kind()).isEqualTo(Kind.COVERING);
        assertThat(advice.text()).contains("55.0 % of 20", "give it a list");
        assertThat(advice.saving().rowFetches()).isEqualTo(11);
    }

    @Test
    void fewQuestionsSayNothingOfWhatIsFetched() {
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, usage(19, 19, Duration.ofHours(2)))))
                .isEmpty();
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, usage(20, 10, Duration.ofHours(2)))))
                .isEmpty();
    }

    @Test
    void namesTheKeysThatTakeAnOutsizedPartOfTheChanges() {
        Map<KeyBytes, Long> times = Map.of(key("Oslo", "Ada"), 310L, key("Rome"), 120L, key("Bonn", "Eve"), 99L);
        Advice advice = only(facts("by_town", WELL_SPREAD, changed(1_000, 16, times)));

        assertThat(advice.kind()).isEqualTo(Kind.HEAVY_KEYS);
        assertThat(advice.text())
                .startsWith("2 keys have 43.0 % of the changes of its entries: town \"Oslo\", name \"Ada\" (31.0 %);"
                        + " town \"Rome\", name … (12.0 %); begin its key with a part");
        assertThat(advice.guarded())
                .startsWith("2 keys have 43.0 % of the changes of its entries; begin its key with a part")
                .doesNotContain("Oslo", "Rome");
        assertThat(advice.saving()).isEqualTo(new Saving(0, 0, 0, 0));
    }

    @Test
    void advisesASaltForAGlobalIndexThatCanHaveALargerOne() {
        Usage usage = changed(1_000, 16, Map.of(key("Oslo"), 310L));
        for (int salt = 1; salt <= 2; salt++) {
            IndexDefinition definition = Tables.catalog(
                            "tables: {people: {primaryKey: id, indexes: {by_town: {key: [town, name], scope: global,"
                                    + " partitions: 2, salt: " + salt + "}}}}")
                    .indexes()
                    .get(0);
            Advice advice = only(new IndexFacts("by_town", definition, WELL_SPREAD, usage, Optional.empty()));
            assertThat(advice.text())
                    .contains("town \"Oslo\", name … (31.0 %); " + (salt == 1 ? "raise its salt, begin" : "begin"));
        }
    }

    @Test
    void namesNoKeyWhereAllHaveAboutEquallyManyChangesOrFewWereSampled() {
        Map<KeyBytes, Long> even = Map.of(key("Oslo", "Ada"), 340L, key("Rome", "Ada"), 330L, key("Bonn", "Eve"), 330L);
        assertThat(AdviceRules.of(facts("by_town", shape(10_000, 3, true, 3_000), changed(1_000, 3, even))))
                .isEmpty();
        assertThat(AdviceRules.of(facts("by_town", shape(0, 0, true, 0), changed(1_000, 3, even))))
                .as("this worker has no shard of the table")
                .isEmpty();
        Map<KeyBytes, Long> one = Map.of(key("Oslo", "Ada"), 99L);
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, changed(99, 1, one))))
                .isEmpty();
        assertThat(AdviceRules.of(facts("by_town", WELL_SPREAD, changed(1_000, 16, one))))
                .isEmpty();
    }

    private static Usage changed(long sampled, int values, Map<KeyBytes, Long> times) {
        return new Usage(
                ASKED.queries(), ASKED.fetches(), 0, 0, ASKED.watched(), new HeavyKeys(sampled, values, times));
    }

    private static KeyBytes key(String... values) {
        KeyWriter key = new KeyWriter();
        for (String value : values) {
            key.append(new FieldValue.Text(value), Order.ASC);
        }
        return key.toKey();
    }

    private static Advice only(IndexFacts facts) {
        List<Advice> advice = AdviceRules.of(facts);
        assertThat(advice).hasSize(1);
        return advice.get(0);
    }

    private static IndexFacts facts(String index, KeyShape shape, Usage usage) {
        return facts(Tables.people().index(index).orElseThrow(), shape, usage);
    }

    private static IndexFacts facts(IndexDefinition index, KeyShape shape, Usage usage) {
        return new IndexFacts(index.name(), index, shape, usage, Optional.of(Duration.ofNanos(2_000)));
    }

    private static Usage usage(long queries, long fetches, Duration watched) {
        return new Usage(queries, fetches, 0, 0, watched);
    }

    private static Usage updates(long updates, long moved) {
        return new Usage(ASKED.queries(), ASKED.fetches(), updates, moved, ASKED.watched());
    }

    private static KeyShape shape(long entries, long distinct, boolean complete, long heaviest) {
        KeyShape.Weight weight = new KeyShape.Weight(new FieldValue.Text("v0"), heaviest);
        return new KeyShape(entries, distinct, complete, List.of(weight), 20, 10);
    }
}
