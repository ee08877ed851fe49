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
 * <p>Keys whose part is a value are exactly those that begin with the value's bytes, because the bytes of no value
 * begin with all of another's.
 */
record KeyBounds(KeyBytes prefix, KeyRange block) {
    /** Every key. */
    static KeyBounds all() {
        return new KeyBounds(KeyBytes.EMPTY, KeyRange.ALL);
    }

    /** The next part equals a value. */
    KeyBounds equalTo(FieldValue value, Order order) {
        KeyBytes bytes = first(value, order);
        return new KeyBounds(bytes, KeyRange.ofPrefix(bytes));
    }

    /** The next part is above a value. */
    KeyBounds above(FieldValue value, boolean inclusive, Order order) {
        return order == Order.ASC ? from(value, inclusive, order) : to(value, inclusive, order);
    }

    /** The next part is below a value. */
    KeyBounds below(FieldValue value, boolean inclusive, Order order) {
        return order == Order.ASC ? to(value, inclusive, order) : from(value, inclusive, order);
    }

    /** The next part is a text that begins with another. */
    KeyBounds startingWith(String text, Order order) {
        KeyRange texts = KeyRange.ofPrefix(
                new KeyWriter().append(prefix).appendTextPrefix(text, order).toKey());
        return new KeyBounds(prefix, texts);
    }

    /** Leaves keys whose next part comes after a value in the order of keys. */
    private KeyBounds from(FieldValue value, boolean inclusive, Order order) {
        KeyBytes bound = inclusive ? first(value, order) : beyond(value, order);
        KeyBytes low = block.fromInclusive();
        return new KeyBounds(
                prefix, new KeyRange(bound != null && bound.compareTo(low) > 0 ? bound : low, block.toExclusive()));
    }

    /** Leaves keys whose next part comes before a value in the order of keys. */
    private KeyBounds to(FieldValue value, boolean inclusive, Order order) {
        KeyBytes bound = inclusive ? beyond(value, order) : first(value, order);
        KeyBytes high = block.toExclusive();
        boolean tighter = bound != null && (high == null || bound.compareTo(high) < 0);
        return new KeyBounds(prefix, new KeyRange(block.fromInclusive(), tighter ? bound : high));
    }

    /** The least key whose next part is the value. */
    private KeyBytes first(FieldValue value, Order order) {
        return new KeyWriter().append(prefix).append(value, order).toKey();
    }

    /** The least key beyond those whose next part is the value. */
    private @Nullable KeyBytes beyond(FieldValue value, Order order) {
        return KeyRange.successor(first(value, order));
    }
}
