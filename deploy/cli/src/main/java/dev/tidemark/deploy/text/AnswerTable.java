package dev.tidemark.deploy.text;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.api.IndexAnswer.Entry;
import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** An answer of the index worker as a table: the key, the primary key, the shard, and what the entry carries. */
public final class AnswerTable {
    private static final int PLAIN_DIGITS = 40;

    private AnswerTable() {}

    public static List<String> render(IndexAnswer answer, Terminal terminal) {
        Set<String> keyFields = fields(answer, true);
        Set<String> rowFields = fields(answer, false);
        rowFields.removeAll(keyFields);
        rowFields.removeIf(field -> repeatsPrimaryKey(answer, field));
        List<Column<Entry>> columns = new ArrayList<>();
        keyFields.forEach(field -> columns.add(new Column<>(
                field, entry -> new Cell(text(entry.key().path(field)), Tint.CYAN))));
        columns.add(Column.of("primary key", entry -> text(entry.primaryKey())));
        columns.add(new Column<>("shard", entry -> new Cell(Integer.toString(entry.shard()), Tint.DIM)));
        rowFields.forEach(field ->
                columns.add(Column.of(field, entry -> text(entry.row().path(field)))));
        return TextTable.of(answer.entries(), columns).render(terminal);
    }

    /** One line about how old the answer may be, and what it lacks. */
    public static String freshness(IndexAnswer.Freshness freshness, Terminal terminal) {
        long quarantined = freshness.quarantined().count();
        boolean whole = quarantined == 0 && freshness.refused() == 0;
        return age(freshness, terminal)
                + (whole
                        ? ""
                        : "; lacks " + Amounts.count(quarantined) + " quarantined and "
                                + Amounts.count(freshness.refused()) + " refused rows");
    }

    private static String age(IndexAnswer.Freshness freshness, Terminal terminal) {
        String state = terminal.tinted(freshness.state(), Tint.ofState(freshness.state()));
        if (freshness.completeUpTo().isEmpty()) {
            return state + ", nothing is known about how old this is";
        }
        Long millis = freshness.stalenessMs();
        String age = Amounts.atMost(millis == null ? null : millis / 1e3);
        return state + ", at most " + age + " old, complete up to " + freshness.completeUpTo();
    }

    /** A value as people write it: text without quotes, a list with commas. */
    public static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            return value.valueStream().map(AnswerTable::text).collect(Collectors.joining(", "));
        }
        String text = value.isTextual()
                ? value.textValue()
                : value.isBigDecimal() ? number(value.decimalValue()) : value.toString();
        return Terminal.printable(text);
    }

    /** Without an exponent, unless that would take many zeros. */
    private static String number(BigDecimal value) {
        boolean isShort = Math.abs((long) value.scale()) <= PLAIN_DIGITS
                && Math.abs((long) value.precision() - value.scale()) <= PLAIN_DIGITS;
        return isShort ? value.toPlainString() : value.toString();
    }

    /** Whether the field says again what the primary key says, in every entry. */
    private static boolean repeatsPrimaryKey(IndexAnswer answer, String field) {
        return answer.entries().stream()
                .allMatch(entry -> text(entry.row().path(field)).equals(text(entry.primaryKey())));
    }

    private static Set<String> fields(IndexAnswer answer, boolean ofKey) {
        Set<String> names = new LinkedHashSet<>();
        answer.entries()
                .forEach(entry ->
                        (ofKey ? entry.key() : entry.row()).fieldNames().forEachRemaining(names::add));
        return names;
    }
}
