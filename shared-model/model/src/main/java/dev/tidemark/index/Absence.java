package dev.tidemark.index;

/** Why an index has no entry of a row that it could hold. */
public sealed interface Absence {

    /**
     * A condition of {@code where} does not hold; others may not hold either.
     *
     * @param condition its position in {@link RowFilter#conditions()}
     */
    record Filtered(int condition) implements Absence {}

    /**
     * A part of the key has no value: the field is absent or null, or, for {@code each}, holds no element but null.
     *
     * @param part its position in {@link IndexDefinition#key()}
     */
    record NoValue(int part) implements Absence {}

    /** All entries of the row are in other partitions of a global index. */
    record Elsewhere() implements Absence {}
}
