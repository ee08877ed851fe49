package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.key.Order;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class QueryParserTest {
    private static final IndexNames NAMES = Tables.names(Tables.inForce(Tables.catalog("""
                    tables:
                      films:
                        primaryKey: id
                        indexes:
                          by_place: { key: [address.city, {field: year, order: desc}, title], projection: keys_only }
                          by_order: { key: [order, limit.gte], projection: keys_only }
                    """)));

    @Test
    void asksForEverythingWhenNothingIsSaid() throws Exception {
        IndexQuery query = parse("by_place");
        assertThat(query.range()).isEqualTo(KeyBounds.all().block());
        assertThat(query.order()).isEqualTo(Order.ASC);
        assertThat(query.limit()).isEqualTo(100);
        assertThat(query.after()).isEmpty();
        assertThat(query.demand()).isEqualTo(ReadConsistency.NONE);
        assertThat(query.fetchRow()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "title=Alien | an equality on address.city and on year before any condition on title",
                "address.city=Oslo&title=Alien | before any condition on title",
                "year=1979 | an equality on address.city before any condition on year",
                "year=1979 | because the key of index by_place is [address.city, year, title]",
                "address.city.gte=A&year=1979 | before any condition on year",
                "colour=red | expected a condition on one of the key parts address.city, year, title",
                "colour=red | wait, max_staleness, allow_partial, but got colour",
                "address.city.like=O | expected one of .eq, .gt, .gte, .lt, .lte, .prefix",
                "address.city.prefix=O&address.city.gte=A | expected for one part of the key",
                "address.city.gt=A&address.city.gte=A | expected for one part of the key",
                "address.city=A&address.city.eq=A | expected for one part of the key",
                "address.city.prefix=19 | expected a string for address.city.prefix, but got the number 19",
                "address.city=null | got null",
                "address.city=\"\\ud800\" | expected valid Unicode",
                "address.city.prefix=\"a\\udc00b\" | expected valid Unicode",
                "address.city.gt=-1e9999999999 | address.city.gt: expected zero or a number from 1e-1000000 to below",
                "address.city=1e2147483648 | but got 1e2147483648; to mean the string, put it in double quotes",
                "order=up | expected parameter order to be asc or desc, but got up",
                "limit=0 | from 1 to 10000, but got 0",
                "limit=10001 | from 1 to 10000",
                "limit=ten | from 1 to 10000, but got ten",
                "limit=999999999999 | from 1 to 10000",
                "cursor=AAAA | expected a cursor",
                "cursor=%% | expected a cursor",
                "fetch=all | expected parameter fetch to be row",
                "token=AAAA | expected a token",
                "wait=long | parameter wait: expected a duration",
                "wait=31s | at most 30s",
                "max_staleness=-1s | parameter max_staleness"
            },
            delimiter = '|')
    void refusesWhatItDoesNotUnderstand(String parameters, String complaint) {
        assertThatThrownBy(() -> parse("by_place", parameters.split("&")))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(complaint);
    }

    @Test
    void aPrefixAsksForTheTextsThatBeginWithIt() throws Exception {
        assertThat(parse("by_place", "address.city.prefix=Os").range())
                .isEqualTo(KeyBounds.all().startingWith("Os", Order.ASC).block());
    }

    @Test
    void refusesAParameterGivenTwice() {
        assertThatThrownBy(() -> QueryParser.parse(
                        NAMES.find("by_place"), Map.of("order", List.of("asc", "asc")), QueryLimits.USUAL))
                .hasMessageContaining("expected parameter order once, but got it 2 times");
    }

    @Test
    void aFieldNamedLikeAParameterIsAskedForWithEq() throws Exception {
        IndexQuery query = parse("by_order", "order.eq=7", "limit.gte=8", "limit=9");
        assertThat(query.limit()).isEqualTo(9);
        assertThat(query.range()).isNotEqualTo(KeyBounds.all().block());
    }

    @Test
    void readsTheDemand() throws Exception {
        String token = SessionToken.of("films", 3, ChangeLog.version(7)).encode();
        IndexQuery query = parse("by_place", "token=" + token, "wait=5s", "max_staleness=500ms");
        assertThat(query.demand().versions()).containsExactly(Map.entry(3, ChangeLog.version(7)));
        assertThat(query.demand().patience()).isEqualTo(Duration.ofSeconds(5));
        assertThat(query.demand().maxStaleness()).contains(Duration.ofMillis(500));
    }

    @Test
    void refusesATokenOfAnotherTableOrOfPartitionsThatThereAreNot() throws Exception {
        String first = SessionToken.of("films", 0, ChangeLog.version(7)).encode();
        assertThat(parse("by_place", "token=" + first).demand().versions()).containsOnlyKeys(0);
        String people = SessionToken.of("people", 0, ChangeLog.version(7)).encode();
        assertThatThrownBy(() -> parse("by_place", "token=" + people)).hasMessageContaining("of table people");
        String beyond = SessionToken.of("films", 4, ChangeLog.version(7)).encode();
        assertThatThrownBy(() -> parse("by_place", "token=" + beyond)).hasMessageContaining("4 partitions");
    }

    @Test
    void eachPartitionOfAGlobalIndexMustHaveTheNewestWriteOfAToken() throws Exception {
        RowVersion newest = ChangeLog.version(7);

        assertThat(ofGlobal(Map.of(0, ChangeLog.version(5), 1, newest)))
                .containsOnlyKeys(0, 1, 2)
                .containsValue(newest);
    }

    @Test
    void aTokenFromBeforeAndAfterATimeThatWasLostIsOneOfTheOlderEpochForAGlobalIndexToo() throws Exception {
        RowVersion older = new RowVersion(1, 7);

        assertThat(ofGlobal(Map.of(0, older, 1, new RowVersion(2, 3))).values())
                .containsOnly(new RowVersion(1, RowVersion.MAX_SEQUENCE));
    }

    private static Map<Integer, RowVersion> ofGlobal(Map<Integer, RowVersion> written) throws Exception {
        String catalog = "tables: {films: {primaryKey: id, partitions: 2, indexes:"
                + " {by_year: {key: [year], scope: global, partitions: 3}}}}";
        Definitions definitions = Tables.inForce(Tables.catalog(catalog)).get();
        String token = new SessionToken("films", written).encode();
        return QueryParser.parse(
                        Tables.names(() -> definitions).find("by_year"),
                        Map.of("token", List.of(token)),
                        QueryLimits.USUAL)
                .demand()
                .versions();
    }

    @Test
    void aCursorFitsItsOwnQuestionOnly() throws Exception {
        IndexQuery query = parse("by_place", "address.city=Oslo");
        SortedMap<Integer, RowVersion> seen = new TreeMap<>(Map.of(2, ChangeLog.version(7)));
        String cursor =
                new Cursor(query.range().fromInclusive(), seen).write(query.index(), query.range(), query.order());
        assertThat(parse("by_place", "address.city=Oslo", "cursor=" + cursor)
                        .demand()
                        .seen())
                .isEqualTo(seen);
        assertThat(parse("by_place", "address.city=Oslo", "cursor=" + cursor).after())
                .contains(query.range().fromInclusive());
        assertThat(parse("by_place", "address.city=Oslo", "limit=7", "cursor=" + cursor)
                        .after())
                .isPresent();
        assertThatThrownBy(() -> parse("by_place", "address.city=Bergen", "cursor=" + cursor))
                .hasMessageContaining("expected a cursor");
        assertThatThrownBy(() -> parse("by_place", "address.city=Oslo", "order=desc", "cursor=" + cursor))
                .hasMessageContaining("expected a cursor");
        assertThatThrownBy(() -> parse("by_order", "cursor=" + cursor)).hasMessageContaining("expected a cursor");
    }

    @Test
    void pagesAfterATableHasGrownOrShrunkAskEachPartitionForTheNewestThatWasSeen() throws Exception {
        String catalog = "tables: {films: {primaryKey: id, partitions: 2, indexes: {by_year: {key: [year]}}}}";
        Definitions before = Tables.inForce(Tables.catalog(catalog)).get();
        Definitions grown = before.changed(Tables.catalog(catalog.replace("ons: 2", "ons: 3")), ChangeLog.START);
        IndexNames.Found first = Tables.names(() -> before).find("by_year");
        IndexNames.Found second = Tables.names(() -> grown).find("by_year");
        RowVersion newest = ChangeLog.version(7);
        SortedMap<Integer, RowVersion> two = new TreeMap<>(Map.of(0, newest, 1, ChangeLog.version(5)));
        SortedMap<Integer, RowVersion> three = new TreeMap<>(two);
        three.put(2, ChangeLog.version(6));

        assertThat(seen(first, two)).isEqualTo(two);
        assertThat(seen(second, three)).isEqualTo(three);
        assertThat(seen(second, two)).isEqualTo(Map.of(0, newest, 1, newest, 2, newest));
        assertThat(seen(first, three)).isEqualTo(Map.of(0, newest, 1, newest));
        assertThat(seen(second, new TreeMap<>())).isEmpty();
    }

    private static Map<Integer, RowVersion> seen(IndexNames.Found index, SortedMap<Integer, RowVersion> held)
            throws Exception {
        String cursor = new Cursor(KeyBounds.all().block().fromInclusive(), held)
                .write(index, KeyBounds.all().block(), Order.ASC);
        return QueryParser.parse(index, Map.of("cursor", List.of(cursor)), QueryLimits.USUAL)
                .demand()
                .seen();
    }

    @Test
    void onlyALimitBeyondTheMostIsTooLarge() throws Exception {
        assertThat(parse("by_place", "limit=1").limit()).isEqualTo(1);
        assertThat(parse("by_place", "limit=10000").limit()).isEqualTo(10_000);
        assertThatThrownBy(() -> parse("by_place", "limit=10001"))
                .isInstanceOfSatisfying(
                        BadQueryException.class,
                        refused -> assertThat(refused.limit()).contains(ProblemType.LIMIT_TOO_LARGE));
        for (String large : List.of("9999999999999", "10001", "0009999999999")) {
            assertThatThrownBy(() -> parse("by_place", "limit=" + large))
                    .isInstanceOfSatisfying(
                            BadQueryException.class,
                            refused -> assertThat(refused.limit()).contains(ProblemType.LIMIT_TOO_LARGE));
        }
        assertThat(parse("by_place", "limit=00000000010").limit()).isEqualTo(10);
        for (String senseless : List.of("0", "-1", "ten")) {
            assertThatThrownBy(() -> parse("by_place", "limit=" + senseless))
                    .isInstanceOfSatisfying(
                            BadQueryException.class,
                            refused -> assertThat(refused.limit()).isEmpty());
        }
    }

    @Test
    void asksForNoMoreThanIsSet() throws Exception {
        QueryLimits little = new QueryLimits(50, Duration.ofSeconds(1));

        IndexQuery unsaid = QueryParser.parse(NAMES.find("by_order"), Map.of(), little);

        assertThat(unsaid.limit()).isEqualTo(50);
        assertThat(unsaid.demand().patience()).isEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(() -> QueryParser.parse(NAMES.find("by_order"), Map.of("limit", List.of("51")), little))
                .hasMessageContaining("from 1 to 50");
        assertThatThrownBy(() -> QueryParser.parse(NAMES.find("by_order"), Map.of("wait", List.of("2s")), little))
                .hasMessageContaining("at most 1s");
    }

    private static IndexQuery parse(String index, String... parameters) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>();
        for (String parameter : parameters) {
            String[] halves = parameter.split("=", 2);
            given.put(halves[0], List.of(halves[1]));
        }
        return QueryParser.parse(NAMES.find(index), given, QueryLimits.USUAL);
    }
}
