package dev.tidemark.architecture.sample.http;

import dev.tidemark.architecture.sample.core.Impure;
import dev.tidemark.architecture.sample.kafka.Other;

/** Knows another adapter. */
public record Adapter(Impure owner) {
    @Override
    public String toString() {
        return new Other().toString();
    }
}
