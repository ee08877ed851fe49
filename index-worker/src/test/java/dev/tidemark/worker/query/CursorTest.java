package dev.tidemark.worker.query;

import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CursorTest {
    private static final String CATALOG = """
            tables:
              people:
                primaryKey: id
                indexes: { by_town: { key: [town], projection: keys_only } }
              shops:
                primaryKey: id
                indexes: { by_town: { key: [town], projection: keys_only } }
            """;
    private static final KeyBytes LAST = bytes(4, 5, 6);
    private static final KeyRange RANGE = new KeyRange(bytes(4), bytes(5));

    private final IndexNames.Found index = index(CATALOG, "people.by_town");
    private final String text = Cursor.write(index, RANGE, Order.ASC, LAST);

    @Test
    void givesTheLastKeyOfTheSameQuestion() throws Exception {
        assertThat(Cursor.read(index(CATALOG, "people.by_town"), RANGE, Order.ASC, text))
                .isEqualTo(LAST);
    }

    @Test
    void doesNotFitAnIndexThatWasMadeAgainWithAnotherDefinition() {
        refuses(index(CATALOG.replace("[town]", "[{field: town, order: desc}]"), "people.by_town"), RANGE, Order.ASC);
        refuses(index(CATALOG.replace("keys_only", "all"), "people.by_town"), RANGE, Order.ASC);
    }

    @Test
    void doesNotFitAnIndexOfTheSameDefinitionInAnotherTable() {
        refuses(index(CATALOG, "shops.by_town"), RANGE, Order.ASC);
    }

    @Test
    void doesNotFitAnotherRangeThatHasItsKey() {
        refuses(index, new KeyRange(bytes(3), bytes(5)), Order.ASC);
        refuses(index, new KeyRange(bytes(4), bytes(6)), Order.ASC);
        refuses(index, new KeyRange(bytes(4), null), Order.ASC);

        String other = Cursor.write(index, new KeyRange(bytes(1), bytes(1, 5)), Order.ASC, bytes(1, 2));
        refuses(index, new KeyRange(bytes(1, 1), bytes(5)), Order.ASC, other);
    }

    @Test
    void holdsAnyKeyUpToALengthThatNoEntryHas() throws Exception {
        KeyBytes longest = KeyBytes.wrap(new byte[12_283]);
        for (KeyBytes last : List.of(KeyBytes.EMPTY, longest)) {
            assertThat(Cursor.read(index, KeyRange.ALL, Order.ASC, ofAll(last))).isEqualTo(last);
        }
        refuses(index, KeyRange.ALL, Order.ASC, ofAll(longest.concat(bytes(0))));
    }

    @Test
    void staysGoodWhenTheServiceIsReplaced() throws Exception {
        assertThat(Cursor.read(index, RANGE, Order.ASC, "AQQFBgzAEGk")).isEqualTo(LAST);
    }

    @Test
    void doesNotFitTheOtherOrder() {
        refuses(index, RANGE, Order.DESC);
    }

    @Test
    void isRefusedWhereItsKeyWasChanged() {
        byte[] cursor = Base64.getUrlDecoder().decode(text);
        cursor[2]++;
        refuses(index, RANGE, Order.ASC, Base64.getUrlEncoder().encodeToString(cursor));
    }

    private String ofAll(KeyBytes last) {
        return Cursor.write(index, KeyRange.ALL, Order.ASC, last);
    }

    private void refuses(IndexNames.Found other, KeyRange range, Order order) {
        refuses(other, range, order, text);
    }

    private static void refuses(IndexNames.Found other, KeyRange range, Order order, String cursor) {
        assertThatThrownBy(() -> Cursor.read(other, range, order, cursor))
                .isInstanceOf(BadQueryException.class)
                .hasMessageContaining("another index, range or order");
    }

    private static IndexNames.Found index(String catalog, String name) {
        try {
            return Tables.names(Tables.inForce(Tables.catalog(catalog))).find(name);
        } catch (BadQueryException | UnknownIndexException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static KeyBytes bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return KeyBytes.wrap(bytes);
    }
}
