package dev.tidemark.source.debezium;

import java.util.Properties;

import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import org.apache.kafka.connect.data.SchemaBuilder;

import dev.tidemark.source.value.ColumnType;

/**
 * Gives every column of PostgreSQL as the text of its JSON. What Debezium makes of values by itself differs between a
 * snapshot and the stream (dates before Christ, infinity, {@code name}), and loses some (arrays of arrays, NaN in
 * arrays).
 */
public final class ValueConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {
    /** Stands for a value that did not change and was not sent. No JSON begins like this. */
    static final String UNCHANGED = "unchanged";

    /** As JDBC numbers types. */
    private static final int ARRAY = 2003;

    @Override
    public void configure(Properties properties) {}

    @Override
    public void converterFor(RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
        String name = column.typeName();
        boolean array = column.jdbcType() == ARRAY && name.startsWith("_") && !name.equals("_box");
        RawValues values = array
                ? RawValues.ofArray(ColumnType.of(name.substring(1)))
                : RawValues.of(ColumnType.of(name, column.nativeType()));
        registration.register(SchemaBuilder.string().optional().name(SchemaValues.JSON), values::json);
    }
}
