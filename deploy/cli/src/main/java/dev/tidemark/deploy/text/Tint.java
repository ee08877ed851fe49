package dev.tidemark.deploy.text;

/** Emphasis of a piece of text, where the terminal can show it. */
public enum Tint {
    PLAIN(""),
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    CYAN("36");

    /** Matches what an emphasis adds to a text. */
    static final String ADDED = "\u001b\\[(?:[012]|3[1236])m";

    private static final String ESCAPE = "\u001b[";

    private final String code;

    Tint(String code) {
        this.code = code;
    }

    /**
     * Returns the tint of a state: green for steady, yellow for a delay that is intended or temporary, red for a state
     * that needs attention.
     */
    public static Tint ofState(String state) {
        return switch (state) {
            case "steady" -> GREEN;
            case "catching_up", "restoring", "copying", "paused" -> YELLOW;
            default -> RED;
        };
    }

    String apply(String text, boolean colour) {
        return colour && this != PLAIN && !text.isEmpty() ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }
}
