package dev.tidemark.row;

/** A value that has no place in an index key: an object, an array, or text that is not valid Unicode. */
public final class UnindexableValueException extends BadInputException {
    private static final long serialVersionUID = 1L;

    public UnindexableValueException(String message) {
        super(message);
    }
}
