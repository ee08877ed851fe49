package dev.tidemark.writer.commit;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.RowDocument;
import dev.tidemark.writer.commit.RowRefusedException.Kind;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowRulesTest {
    /** The index of the table, and a previous one. */
    private static final List<Generation> GENERATIONS = List.of(
            new Generation(1, CUSTOMERS.indexes().get(0)),
            new Generation(
                    2,
                    new IndexDefinition(
                            "customers",
                            "by_tag",
                            List.of(new KeyPart(FieldPath.parse("tags"), Order.ASC, true)),
                            new Projection.Fields(List.of(FieldPath.parse("town"), FieldPath.parse("x"))),
                            RowFilter.NONE)));

    private static final RowRules FOLLOWING = new RowRules(CUSTOMERS, GENERATIONS, 10_000, 0);

    private final RowRules rules = new RowRules(CUSTOMERS, List.of(), 100, 0);

    @Test
    void keepsNumbersAsTheyWereWritten() throws RowRefusedException {
        assertThat(rules.accept(customerKey(1), json("{'customerId':1.0,'price':2.50,'big':12345678901234567890123}"))
                        .row()
                        .bytes())
                .asString()
                .isEqualTo("{\"customerId\":1.0,\"price\":2.50,\"big\":12345678901234567890123}");
    }

    @Test
    void refusesARowWithoutItsPrimaryKey() {
        refuses(() -> rules.keyOf(json("{'town':'Redmond'}")), Kind.INVALID, "customerId is absent or null");
    }

    @Test
    void refusesARowUnderAnotherKeyAndSaysBoth() {
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':'1'}")),
                Kind.INVALID,
                "written under, 1, but its own is \"1\"");
    }

    @Test
    void refusesARowThatIsTooLarge() throws RowRefusedException {
        String most = "y".repeat(100 - "{'customerId':1,'x':''}".length());

        assertThat(rules.accept(customerKey(1), json("{'customerId':1,'x':'" + most + "'}"))
                        .row()
                        .bytes())
                .hasSize(100);
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':1,'x':'y" + most + "'}")),
                Kind.TOO_LARGE,
                "expected a row of at most 100 bytes, but it has 101");
    }

    @Test
    void refusesWhatAnIndexCannotHoldAndNamesTheIndex() {
        refuses(
                () -> rules.accept(customerKey(1), json("{'customerId':1,'town':{}}")),
                Kind.UNINDEXABLE,
                "index by_town of table customers");
    }

    @Test
    void givesWhatWasDerivedOfARowForTheDigestsOfItsGenerations() throws Exception {
        for (String row : List.of(
                "{'customerId':1,'town':'a','x':[1,{'y':null}]}",
                "{'customerId':1.0,'town':-1.50E+7,'x':12345678901234567890}",
                "{'customerId':1,'town':'\u00e9\\\\ \\u0001'}",
                "{'customerId':1,'town':null}",
                "{'customerId':1}")) {
            WriteCommand.Put put = FOLLOWING.accept(customerKey(1), json(row));

            assertThat(put.terms())
                    .as(row)
                    .containsOnlyKeys(1L, 2L)
                    .isEqualTo(new RowTerms(GENERATIONS)
                            .of(customerKey(1), RowDocument.stored(put.row().bytes())));
        }
    }

    @Test
    void aPreviousGenerationNeedNotHoldTheRow() throws Exception {
        WriteCommand.Put put = FOLLOWING.accept(customerKey(1), json("{'customerId':1,'town':'a','tags':'none'}"));

        assertThat(put.terms()).containsEntry(2L, EntryTerms.NONE);
        assertThat(Objects.requireNonNull(put.terms().get(1L)).keys()).hasSize(1);
    }

    @Test
    void whatIsDerivedDoesNotTravelWhereItIsMuch() throws Exception {
        String town = "x".repeat(3_700);

        assertThat(FOLLOWING
                        .accept(customerKey(1), customer("'" + town + "'", "[]"))
                        .terms())
                .hasSize(2);
        assertThat(FOLLOWING
                        .accept(customerKey(1), customer("'" + town + "'", "['" + town + "']"))
                        .terms())
                .isEmpty();
        assertThat(FOLLOWING.accept(customerKey(1), customer("'a'", tags(16))).terms())
                .hasSize(2);
        assertThat(FOLLOWING.accept(customerKey(1), customer("'a'", tags(17))).terms())
                .isEmpty();
        assertThat(FOLLOWING.accept(customerKey(1), customer("'a'", tags(16))).termBytes())
                .isBetween(1_000L, 4_096L);
    }

    @Test
    void whatIsDerivedTravelsUpToFourKibibytes() throws Exception {
        long little = FOLLOWING.accept(customerKey(1), customer("'a'", "[]")).termBytes();
        String most = "a".repeat(1 + 4_096 - (int) little);

        assertThat(FOLLOWING
                        .accept(customerKey(1), customer("'" + most + "'", "[]"))
                        .terms())
                .hasSize(2);
        assertThat(FOLLOWING
                        .accept(customerKey(1), customer("'a" + most + "'", "[]"))
                        .terms())
                .isEmpty();
    }

    @Test
    void eachIndexOfTheTableGivesWhatWasDerivedToItsOwnGenerations() throws Exception {
        IndexDefinition byName = new IndexDefinition(
                "customers", "by_name", List.of(KeyPart.of("name")), new Projection.KeysOnly(), RowFilter.NONE);
        IndexDefinition byTown = CUSTOMERS.indexes().get(0);
        List<Generation> generations =
                List.of(new Generation(1, byTown), new Generation(2, byName), new Generation(3, byTown));
        RowRules both = new RowRules(
                new TableDefinition("customers", CUSTOMERS.primaryKey(), 4, List.of(byTown, byName)),
                generations,
                10_000,
                0);

        WriteCommand.Put put = both.accept(customerKey(1), json("{'customerId':1,'town':'a','name':'b'}"));

        assertThat(put.terms())
                .isEqualTo(new RowTerms(generations)
                        .of(customerKey(1), RowDocument.stored(put.row().bytes())));
    }

    private static ObjectNode customer(String town, String tags) {
        return json("{'customerId':1,'town':" + town + ",'tags':" + tags + "}");
    }

    private static String tags(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
    }

    private static void refuses(ThrowingCallable call, Kind kind, String message) {
        assertThatThrownBy(call)
                .isInstanceOf(RowRefusedException.class)
                .hasMessageContaining(message)
                .extracting(e -> ((RowRefusedException) e).kind())
                .isEqualTo(kind);
    }
}
