package dev.tidemark.deploy.text;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TextTableTest {

    @Test
    void alignsTextToTheLeftAndNumbersToTheRight() {
        TextTable table = table("name", "count");
        add(table, "one", "1");
        add(table, "eleven", "11,000");

        assertThat(table.render(Terminals.pipe()))
                .containsExactly("name     count", "------  ------", "one          1", "eleven  11,000");
    }

    @Test
    void drawsABoxOnATerminal() {
        TextTable table = table("name", "count");
        add(table, "one", "1");

        assertThat(table.render(Terminals.screen(40)))
                .containsExactly(
                        "┌──────┬───────┐",
                        "│ name │ count │",
                        "├──────┼───────┤",
                        "│ one  │     1 │",
                        "└──────┴───────┘");
    }

    @Test
    void staysWithinTheTerminalByShorteningTheWidestCells() {
        TextTable table = table("key", "text");
        add(table, "short", "a very long text that no narrow terminal can show");

        List<String> lines = table.render(Terminals.screen(30));

        assertThat(lines).allSatisfy(line -> assertThat(line).hasSize(30));
        assertThat(lines.get(3)).contains("short").contains("…");
    }

    @Test
    void neverShortensInAPipe() {
        TextTable table = table("text");
        String text = "x".repeat(500);
        add(table, text);

        assertThat(table.render(Terminals.pipe())).contains(text);
    }

    @Test
    void countsCharactersBeyondTheBasicPlaneOnce() {
        TextTable table = table("a", "b");
        add(table, "😀", "x");
        add(table, "yy", "x");

        assertThat(table.render(Terminals.pipe())).containsSequence("😀   x", "yy  x");
    }

    @Test
    void keepsControlCharactersAwayFromTheTerminal() {
        TextTable table = table("na\u001b]0;me", "count");
        add(table, "o\u0007ne\u009b", "1");

        assertThat(table.render(Terminals.pipe()))
                .containsExactly("na ]0;me  count", "--------  -----", "o ne          1");
    }

    @Test
    void showsAColumnOfEveryElement() {
        TextTable table = TextTable.of(
                List.of(12, 0),
                List.of(
                        TextTable.Column.of("number", number -> "n" + number),
                        new TextTable.Column<>("alarm", number -> TextTable.Cell.alarm(number))));

        assertThat(table.render(Terminals.pipe()))
                .containsExactly("number  alarm", "------  -----", "n12        12", "n0          0");
    }

    private static TextTable table(String... header) {
        return new TextTable(List.of(header));
    }

    private static void add(TextTable table, String... cells) {
        table.add(Arrays.stream(cells).map(TextTable.Cell::of).toList());
    }
}
