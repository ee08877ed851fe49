package dev.tidemark.worker.http;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;

import static dev.tidemark.worker.http.JsonValues.object;

/** Values as JSON has them; null stands for a value that is not there. */
final class JsonValues {
    private JsonValues() {}

    static ObjectNode object() {
        return RowJson.mapper().createObjectNode();
    }

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
        return TimeUnit.NANOSECONDS.convert(value) / 1e9;
    }

    /** The values of an index key, by field. */
    static ObjectNode fields(IndexDefinition index, KeyBytes key) throws MalformedKeyException {
        ObjectNode json = object();
        KeyReader reader = new KeyReader(key);
        for (KeyPart part : index.key()) {
            json.set(part.field().toString(), reader.next(part.order()).toJson());
        }
        return json;
    }
}
