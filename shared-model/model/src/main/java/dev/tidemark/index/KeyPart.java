package dev.tidemark.index;

import dev.tidemark.key.Order;
import dev.tidemark.row.FieldPath;

/**
 * One part of an index key.
 *
 * @param field where the value stands in the row
 * @param order direction of this part
 * @param each whether the field is an array that gives one entry per distinct element
 */
public record KeyPart(FieldPath field, Order order, boolean each) {

    /** An ascending part over a single value. */
    public static KeyPart of(String field) {
        return new KeyPart(FieldPath.parse(field), Order.ASC, false);
    }
}
