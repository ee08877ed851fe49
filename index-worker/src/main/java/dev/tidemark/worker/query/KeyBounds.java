package dev.tidemark.worker.query;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;

/**
 * Narrows a block of keys, part by part.
 *
 * <p>Keys whose part is a value are those that begin with the value's bytes, with one exception: a text's bytes also begin
 * those of the texts that go on with a zero character, whose next byte is the highest there is (the lowest, in a
 * descending part). No other part and no primary key begins with such a byte, so one more byte tells them apart.
 */
final class KeyBounds {
    private static final KeyBytes HIGHEST = KeyBytes.wrap(new byte[] {(byte) 0xFF});
    private static final KeyBytes ABOVE_LOWEST = KeyBytes.wrap(new byte[] {0x01});

    private final KeyBytes prefix;
    private final KeyRange block;

    private KeyBounds(KeyBytes prefix, KeyRange block) {
        this.prefix = prefix;
        this.block = block;
    }

    /** Every key. */
    static KeyBounds all() {
        return new KeyBounds(KeyBytes.EMPTY, KeyRange.ALL);
    }

    KeyRange block() {
        return block;
    }

    /** The next part equals a value. */
    KeyBounds equalTo(FieldValue value, Order order) {
        return new KeyBounds(bytes(value, order), new KeyRange(first(value, order), beyond(value, order)));
    }

    /** The next part is above a value. */
    KeyBounds above(FieldValue value, boolean inclusive, Order order) {
        return order == Order.ASC
                ? from(inclusive ? first(value, order) : beyond(value, order))
                : to(inclusive ? beyond(value, order) : first(value, order));
    }

    /** The next part is below a value. */
    KeyBounds below(FieldValue value, boolean inclusive, Order order) {
        return order == Order.ASC
                ? to(inclusive ? beyond(value, order) : first(value, order))
                : from(inclusive ? first(value, order) : beyond(value, order));
    }

    /** The next part is a text that begins with another. */
    KeyBounds startingWith(String text, Order order) {
        KeyRange texts = KeyRange.ofPrefix(
                new KeyWriter().append(prefix).appendTextPrefix(text, order).toKey());
        return new KeyBounds(prefix, texts);
    }

    private KeyBounds from(@Nullable KeyBytes bound) {
        KeyBytes low = block.fromInclusive();
        return new KeyBounds(
                prefix, new KeyRange(bound != null && bound.compareTo(low) > 0 ? bound : low, block.toExclusive()));
    }

    private KeyBounds to(@Nullable KeyBytes bound) {
        KeyBytes high = block.toExclusive();
        boolean tighter = bound != null && (high == null || bound.compareTo(high) < 0);
        return new KeyBounds(prefix, new KeyRange(block.fromInclusive(), tighter ? bound : high));
    }

    private KeyBytes bytes(FieldValue value, Order order) {
        return new KeyWriter().append(prefix).append(value, order).toKey();
    }

    /** The least key whose next part is the value. */
    private KeyBytes first(FieldValue value, Order order) {
        KeyBytes bytes = bytes(value, order);
        return order == Order.ASC ? bytes : bytes.concat(ABOVE_LOWEST);
    }

    /** The least key beyond those whose next part is the value. */
    private @Nullable KeyBytes beyond(FieldValue value, Order order) {
        KeyBytes bytes = bytes(value, order);
        return order == Order.ASC ? bytes.concat(HIGHEST) : KeyRange.successor(bytes);
    }
}
