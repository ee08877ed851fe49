package dev.tidemark.deploy.text;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Terminals whose output a test can read. */
public final class Terminals {
    private Terminals() {}

    /** A terminal that writes into memory. */
    public record Recorded(ByteArrayOutputStream outBytes, ByteArrayOutputStream errBytes, Terminal terminal) {
        public static Recorded pipe() {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            return new Recorded(out, err, Terminal.plain(print(out), print(err)));
        }

        public String out() {
            return outBytes.toString(StandardCharsets.UTF_8);
        }

        public String err() {
            return errBytes.toString(StandardCharsets.UTF_8);
        }
    }

    static Terminal pipe() {
        return Recorded.pipe().terminal();
    }

    static Terminal screen(int columns) {
        PrintStream nowhere = print(new ByteArrayOutputStream());
        return new Terminal(nowhere, nowhere, true, true, false, columns);
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
