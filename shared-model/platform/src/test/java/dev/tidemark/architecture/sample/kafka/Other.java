package dev.tidemark.architecture.sample.kafka;

/** An adapter that another one imports. */
public record Other() {}
