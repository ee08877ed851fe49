package dev.tidemark.row;

/** Text by code point, where Java's own order goes by UTF-16 unit. */
final class CodePoints {
    private CodePoints() {}

    static boolean areValid(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (Character.charCount(text.codePointAt(i)) == 1) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    static int compare(String a, String b) {
        int shared = Math.min(a.length(), b.length());
        for (int i = 0; i < shared; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean bothOrNeither = Character.isSurrogate(x) == Character.isSurrogate(y);
                // A surrogate belongs to a code point above every other UTF-16 unit.
                return bothOrNeither ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
