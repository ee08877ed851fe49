package dev.tidemark.deploy.text;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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

        /** One whose output cannot be written, as on a full disk. */
        public static Recorded full() {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            OutputStream full = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw new IOException("No space left on device");
                }
            };
            return new Recorded(new ByteArrayOutputStream(), err, Terminal.plain(print(full), print(err)));
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

    private static PrintStream print(OutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
