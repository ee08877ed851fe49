package dev.tidemark.key;

/** Direction of one part of a key. */
public enum Order {
    ASC,
    DESC
}
