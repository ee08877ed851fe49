package dev.tidemark.deploy.text;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TerminalTest {
    private static final String OF_OTHERS = "a\u001b]0;x\u0007b\u001b[2Jc\u009b2Jd\re\u007f";
    private static final String SHOWN = "a\\u001b]0;x\\u0007b\\u001b[2Jc\\u009b2Jd\\u000de\\u007f";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final Terminal terminal = new Terminal(stream, stream, true, true, true, 80);

    @Test
    void escapesWhatATerminalObeysAndKeepsItsOwnEmphasis() {
        terminal.line(terminal.tinted(OF_OTHERS, Tint.RED) + "\n\té");
        assertThat(shown()).isEqualTo("\u001b[31m" + SHOWN + "\u001b[0m\n\té\n");
    }

    @Test
    void escapesWhatATerminalObeysInComplaints() {
        terminal.complain(OF_OTHERS);
        assertThat(shown()).isEqualTo(SHOWN + "\n");
    }

    @Test
    void escapesWhatATerminalObeysWhereABlockIsDrawnAgain() {
        Redraw screen = new Redraw(terminal);
        screen.draw(List.of(OF_OTHERS));
        screen.draw(List.of(OF_OTHERS));
        assertThat(shown()).isEqualTo(SHOWN + "\n\u001b[1F\u001b[0J" + SHOWN + "\n");
    }

    @Test
    void knowsEachEmphasisThatItAdds() {
        for (Tint tint : Tint.values()) {
            assertThat(Terminal.harmless(terminal.tinted("a", tint))).isEqualTo(terminal.tinted("a", tint));
        }
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
