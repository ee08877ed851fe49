package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/** Values as JSON has them; null stands for a value that is not there. */
final class JsonValues {
    private JsonValues() {}

    static @Nullable String text(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }

    static @Nullable Long number(OptionalLong value) {
        return value.isPresent() ? Long.valueOf(value.getAsLong()) : null;
    }

    static @Nullable Double seconds(Optional<Duration> value) {
        return value.map(JsonValues::seconds).orElse(null);
    }

    static double seconds(Duration value) {
        return value.toNanos() / 1e9;
    }
}
