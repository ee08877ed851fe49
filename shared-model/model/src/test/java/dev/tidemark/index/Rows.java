package dev.tidemark.index;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldPath;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows, and indexes of table {@code t} whose rows have the primary key 7. */
final class Rows {
    static final KeyBytes PRIMARY_KEY =
            new KeyWriter().append(FieldValue.Num.of(7), Order.ASC).toKey();

    private Rows() {}

    /** A row in JSON with single quotes. */
    static RowDocument row(String json) {
        try {
            return RowDocument.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    static IndexDefinition index(KeyPart... key) {
        return new IndexDefinition("t", "i", List.of(key), new Projection.KeysOnly(), RowFilter.NONE);
    }

    static IndexDefinition where(Condition... conditions) {
        return new IndexDefinition(
                "t", "i", List.of(KeyPart.of("k")), new Projection.KeysOnly(), new RowFilter(List.of(conditions)));
    }

    static IndexDefinition projecting(Projection projection) {
        return new IndexDefinition("t", "i", List.of(KeyPart.of("k")), projection, RowFilter.NONE);
    }

    static Projection fields(String... paths) {
        return new Projection.Fields(
                List.of(paths).stream().map(FieldPath::parse).toList());
    }

    static KeyPart each(String field) {
        return new KeyPart(FieldPath.parse(field), Order.ASC, true);
    }

    static KeyPart descending(String field) {
        return new KeyPart(FieldPath.parse(field), Order.DESC, false);
    }

    static DerivedEntries derive(IndexDefinition index, String json) throws UnindexableRowException {
        EntryDeriver deriver = new EntryDeriver(index);
        DerivedEntries derived = deriver.derive(PRIMARY_KEY, row(json));
        deriver.deriveFew(PRIMARY_KEY, row(json))
                .ifPresent(few -> assertThat(few).isEqualTo(derived));
        return derived;
    }

    /** The keys of a row's entries, each as its values joined by commas, the primary key last. */
    static List<String> keys(IndexDefinition index, String json) throws UnindexableRowException, MalformedKeyException {
        List<String> keys = new ArrayList<>();
        for (KeyBytes key : derive(index, json).keys()) {
            KeyReader reader = new KeyReader(key);
            StringBuilder text = new StringBuilder();
            for (KeyPart part : index.key()) {
                text.append(reader.next(part.order()).toJson().asText()).append(',');
            }
            keys.add(text.append(reader.next(Order.ASC).toJson().asText()).toString());
        }
        return keys;
    }
}
