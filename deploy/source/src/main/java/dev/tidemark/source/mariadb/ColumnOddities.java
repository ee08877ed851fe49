package dev.tidemark.source.mariadb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.tidemark.source.feed.Columns;

/** Columns that JSON holds in a form that a person may not expect, or not at all. */
final class ColumnOddities {
    private static final List<String> SHAPES = List.of(
            "geometry",
            "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geometrycollection");

    private ColumnOddities() {}

    static List<String> of(Columns columns) {
        List<String> found = new ArrayList<>();
        columns.columns()
                .forEach((name, column) -> oddity(column.type().toLowerCase(Locale.ROOT))
                        .ifPresent(what -> found.add("column " + name + " (" + column.type() + "): " + what)));
        return found;
    }

    private static Optional<String> oddity(String type) {
        String word = type.split("[ (]", 2)[0];
        if (SHAPES.contains(word)) {
            return Optional.of("its values come in the well-known binary form, as base64");
        }
        if (word.equals("float") && !type.contains("(")) {
            return Optional.of("its numbers have the six digits that MariaDB shows; not for a primary key, where those"
                    + " that look alike would be one row");
        }
        return Optional.empty();
    }
}
