package dev.tidemark.deploy.text;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Standard output and standard error, and what stands behind them.
 *
 * @param out for results
 * @param err for progress and complaints
 * @param interactive whether {@code out} is a terminal that a person looks at
 * @param errInteractive the same of {@code err}
 * @param colour whether {@code out} may be coloured
 * @param columns its width; lines are kept within it when interactive
 */
public record Terminal(
        PrintStream out, PrintStream err, boolean interactive, boolean errInteractive, boolean colour, int columns) {
    private static final int USUAL_COLUMNS = 100;

    /** What a terminal obeys, except for ends of lines, tabs, and the emphasis that this program adds. */
    private static final Pattern CONTROL = Pattern.compile("(?!" + Tint.ADDED + ")[\\p{Cntrl}\\x80-\\x9f&&[^\\n\\t]]");

    /**
     * The terminal of this process. The launcher passes {@code tidemark.stdout.tty}, {@code tidemark.stderr.tty} and
     * {@code tidemark.columns}, because Java 17 has no API that detects them.
     */
    public static Terminal ofProcess(Map<String, String> environment) {
        boolean interactive = Boolean.getBoolean("tidemark.stdout.tty");
        boolean plain = environment.containsKey("NO_COLOR") || "dumb".equals(environment.get("TERM"));
        return new Terminal(
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                interactive && !"dumb".equals(environment.get("TERM")),
                Boolean.getBoolean("tidemark.stderr.tty"),
                interactive && !plain,
                Integer.getInteger("tidemark.columns", USUAL_COLUMNS));
    }

    /** Writes both streams as plain text, as into a pipe. */
    public static Terminal plain(PrintStream out, PrintStream err) {
        return new Terminal(out, err, false, false, false, USUAL_COLUMNS);
    }

    public void line(String text) {
        out.println(harmless(text));
    }

    public void line() {
        out.println();
    }

    public void lines(List<String> lines) {
        lines.forEach(this::line);
    }

    public void complain(String text) {
        err.println(harmless(text));
    }

    /**
     * Text in which others may have a part, which must not control a terminal: each control character is escaped as in
     * JSON, so that JSON keeps its meaning.
     */
    static String harmless(String text) {
        return CONTROL.matcher(text)
                .replaceAll(
                        found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
    }

    /** Text of others, which must not control a terminal: each control character is a space. */
    public static String printable(String text) {
        return text.codePoints()
                .map(code -> Character.isISOControl(code) ? ' ' : code)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public String tinted(String text, Tint tint) {
        return tint.apply(text, colour);
    }

    private static PrintStream utf8(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
