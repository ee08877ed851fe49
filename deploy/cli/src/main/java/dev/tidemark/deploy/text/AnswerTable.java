package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.IndexAnswer;
import dev.tidemark.deploy.client.IndexAnswer.Entry;

/** An answer of the index worker as a table: the key, the primary key, the shard, and what the entry carries. */
public final class AnswerTable {
    private AnswerTable() {}

    public static List<String> render(IndexAnswer answer, Terminal terminal) {
        Set<String> keyFields = fields(answer, true);
        Set<String> rowFields = fields(answer, false);
        rowFields.removeAll(keyFields);
        rowFields.removeIf(field -> repeatsPrimaryKey(answer, field));
        List<String> header = new ArrayList<>(keyFields);
        header.add("primary key");
        header.add("shard");
        header.addAll(rowFields);
        TextTable table = new TextTable(header);
        for (Entry entry : answer.entries()) {
            List<TextTable.Cell> cells = new ArrayList<>();
            keyFields.forEach(
                    field -> cells.add(new TextTable.Cell(text(entry.key().path(field)), Tint.CYAN)));
            cells.add(TextTable.Cell.of(text(entry.primaryKey())));
            cells.add(new TextTable.Cell(Integer.toString(entry.shard()), Tint.DIM));
            rowFields.forEach(
                    field -> cells.add(TextTable.Cell.of(text(entry.row().path(field)))));
            table.add(cells);
        }
        return table.render(terminal);
    }

    /** One line about how old the answer may be. */
    public static String freshness(IndexAnswer.Freshness freshness, Terminal terminal) {
        String state = terminal.tinted(freshness.state(), Tint.ofState(freshness.state()));
        if (freshness.completeUpTo().isEmpty()) {
            return state + ", nothing is known about how old this is";
        }
        String age = freshness.stalenessMs() < 0 ? Amounts.UNKNOWN : Amounts.seconds(freshness.stalenessMs() / 1e3);
        return state + ", at most " + age + " old, complete up to " + freshness.completeUpTo();
    }

    /** A value as people write it: text without quotes, a list with commas. */
    public static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (value.isArray()) {
            List<String> parts = new ArrayList<>();
            value.forEach(part -> parts.add(text(part)));
            return String.join(", ", parts);
        }
        String text = value.isTextual()
                ? value.textValue()
                : value.isBigDecimal() ? value.decimalValue().toPlainString() : value.toString();
        return text.codePoints()
                .map(code -> Character.isISOControl(code) ? ' ' : code)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
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
