package dev.tidemark.index;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;

import static org.assertj.core.api.Assertions.assertThat;

/** A row of which only the named fields were read gives the same entries as the whole one. */
class PartialRowTest {
    private static final List<String> NAMES = List.of("a", "b", "k", "z", "deep");

    private static final List<String> VALUES = List.of(
            "1",
            "-1.50",
            "1e3",
            "12345678901234567890",
            "true",
            "null",
            "\"é\\\"\\u0001\"",
            "[]",
            "[1,\"x\",null,1]",
            "{}",
            "{\"in\":{\"side\":2},\"k\":9}",
            "{\"in\":[{}]}");

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    static Stream<IndexDefinition> indexes() {
        RowFilter where = new RowFilter(List.of(new Condition(
                FieldPath.parse("deep.in.side"), Condition.Operator.NE, List.of(new FieldValue.Text("x")))));
        return Stream.of(
                Rows.index(KeyPart.of("k")),
                Rows.index(Rows.each("a"), Rows.descending("deep.in.side")),
                Rows.projecting(new Projection.All()),
                Rows.projecting(Rows.fields("deep.in", "b")),
                new IndexDefinition(
                        "t",
                        "i",
                        List.of(new KeyPart(FieldPath.parse("b"), Order.ASC, false)),
                        Rows.fields("a"),
                        where));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void givesTheSameEntries(long seed) throws Exception {
        RowDocument sent = row(new Random(seed));
        RowDocument row = RowDocument.stored(sent.bytes());
        for (IndexDefinition index : indexes().toList()) {
            EntryDeriver deriver = new EntryDeriver(index);
            RowFields fields = new RowFields(deriver.fieldNames());

            String partly = outcome(() -> deriver.derive(Rows.PRIMARY_KEY, fields.of(row.bytes())));

            String whole = outcome(() -> deriver.derive(Rows.PRIMARY_KEY, row));
            assertThat(partly).isEqualTo(whole);
            assertThat(outcome(() -> deriver.derive(Rows.PRIMARY_KEY, sent)))
                    .as("as it was sent")
                    .isEqualTo(whole);
        }
    }

    /** Derives the entries of a row. */
    private interface Derivation {
        DerivedEntries run() throws UnindexableRowException;
    }

    private static String outcome(Derivation derivation) {
        try {
            return derivation.run().toString();
        } catch (UnindexableRowException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static RowDocument row(Random random) {
        List<String> members = NAMES.stream()
                .filter(name -> random.nextInt(4) > 0)
                .map(name -> "\"" + name + "\":" + VALUES.get(random.nextInt(VALUES.size())))
                .toList();
        return Rows.row("{" + String.join(",", members) + "}");
    }
}
