package dev.tidemark.worker.query;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;
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
    private final Cursor cursor = new Cursor(
            LAST, new TreeMap<>(Map.of(0, new RowVersion(1, 7), 3, new RowVersion(9_999, 999_999_999_999_999L))));
    private final String text = cursor.write(index, RANGE, Order.ASC);

    @Test
    void givesTheLastKeyOfTheSameQuestionAndWhatWasSeen() throws Exception {
        assertThat(Cursor.read(index(CATALOG, "people.by_town"), RANGE, Order.ASC, text))
                .isEqualTo(cursor);
    }

    @Test
    void saysWhatWasSeenOfTheMostPartitionsBesideTheLongestKey() throws Exception {
        Cursor most =
                new Cursor(KeyBytes.wrap(new byte[EntryDeriver.MAX_KEY_BYTES]), seen(TableDefinition.MAX_PARTITIONS));
        assertThat(Cursor.read(index, KeyRange.ALL, Order.ASC, most.write(index, KeyRange.ALL, Order.ASC)))
                .isEqualTo(most);
    }

    @Test
    void doesNotSayWhatWasSeenWhereThatWouldMakeItTooLong() throws Exception {
        Cursor whole = new Cursor(LAST, seen(1_535));
        assertThat(Cursor.read(index, RANGE, Order.ASC, whole.write(index, RANGE, Order.ASC)))
                .isEqualTo(whole);
        Cursor tooLong = new Cursor(LAST, seen(1_536));
        assertThat(Cursor.read(index, RANGE, Order.ASC, tooLong.write(index, RANGE, Order.ASC)))
                .isEqualTo(new Cursor(LAST, new TreeMap<>()));
    }

    private static SortedMap<Integer, RowVersion> seen(int partitions) {
        SortedMap<Integer, RowVersion> seen = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            seen.put(partition, new RowVersion(1, partition));
        }
        return seen;
    }

    @Test
    void saysWhatWasSeenUpToTheLongestText() throws Exception {
        Cursor longest = new Cursor(KeyBytes.wrap(new byte[18_413]), seen(1));
        String written = longest.write(index, KeyRange.ALL, Order.ASC);
        assertThat(Cursor.read(index, KeyRange.ALL, Order.ASC, written)).isEqualTo(longest);
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

        String other =
                new Cursor(bytes(1, 2), new TreeMap<>()).write(index, new KeyRange(bytes(1), bytes(1, 5)), Order.ASC);
        refuses(index, new KeyRange(bytes(1, 1), bytes(5)), Order.ASC, other);
    }

    @Test
    void holdsAnyKeyUpToALengthThatNoEntryHas() throws Exception {
        KeyBytes longest = KeyBytes.wrap(new byte[18_425]);
        for (KeyBytes last : List.of(KeyBytes.EMPTY, longest)) {
            assertThat(Cursor.read(index, KeyRange.ALL, Order.ASC, ofAll(last)).last())
                    .isEqualTo(last);
        }
        refuses(index, KeyRange.ALL, Order.ASC, ofAll(longest.concat(bytes(0))));
    }

    @Test
    void staysGoodWhenTheServiceIsReplaced() throws Exception {
        assertThat(Cursor.read(index, RANGE, Order.ASC, "AQQFBgzAEGk")).isEqualTo(new Cursor(LAST, new TreeMap<>()));
    }

    @Test
    void doesNotFitTheOtherOrder() {
        refuses(index, RANGE, Order.DESC);
    }

    @Test
    void isRefusedWhereAnyOfItWasChanged() {
        byte[] bytes = Base64.getUrlDecoder().decode(text);
        for (int place = 0; place < bytes.length; place++) {
            bytes[place]++;
            refuses(index, RANGE, Order.ASC, Base64.getUrlEncoder().encodeToString(bytes));
            bytes[place]--;
        }
    }

    private String ofAll(KeyBytes last) {
        return new Cursor(last, new TreeMap<>()).write(index, KeyRange.ALL, Order.ASC);
    }

    private void refuses(IndexNames.Found other, KeyRange range, Order order) {
        refuses(other, range, order, text);
    }

    private static void refuses(IndexNames.Found other, KeyRange range, Order order, String cursor) {
        assertThatThrownBy(() -> Cursor.read(other, range, order, cursor))
                .isInstanceOf(BadQueryException.class)
                .hasMessageEndingWith("or to the index before it was changed; begin without it")
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
