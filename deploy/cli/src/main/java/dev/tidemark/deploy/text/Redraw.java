package dev.tidemark.deploy.text;

import java.util.List;

/**
 * A block of lines that is drawn again and again in the same place of a terminal; in a pipe, one block after another.
 */
public final class Redraw {
    private final Terminal terminal;
    private int drawn;

    public Redraw(Terminal terminal) {
        this.terminal = terminal;
    }

    public void draw(List<String> lines) {
        StringBuilder block = new StringBuilder();
        if (terminal.interactive() && drawn > 0) {
            // Up to the first line of the block, then clear from there.
            block.append("\u001b[").append(drawn).append("F\u001b[0J");
        }
        lines.forEach(line -> block.append(Terminal.harmless(line)).append('\n'));
        terminal.out().print(block);
        terminal.out().flush();
        drawn = lines.size();
    }
}
