package dev.tidemark.deploy.probe;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/** A number that a service gave; the times are added by whoever asked. */
record Said(Source source, OptionalInt partition, OptionalDouble seconds) {
    static Said ofIndex(Source source, OptionalDouble seconds) {
        return new Said(source, OptionalInt.empty(), seconds);
    }
}
