package dev.tidemark.deploy.observe;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the names of time series in an expression, without understanding the rest of it: what is left when strings,
 * label lists, durations, numbers, functions and operators are gone.
 */
final class PromqlNames {
    private static final Pattern STRINGS = Pattern.compile("\"(\\\\.|[^\"\\\\])*\"|'(\\\\.|[^'\\\\])*'");
    private static final Pattern SELECTORS = Pattern.compile("\\{[^}]*}|\\[[^]]*]");
    private static final Pattern GROUPINGS =
            Pattern.compile("\\b(by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
    private static final Pattern OFFSETS = Pattern.compile("\\boffset\\s+-?\\w+");
    private static final Pattern WORDS = Pattern.compile("(?<![\\w:.])[a-zA-Z_:][\\w:]*+(?!\\s*\\()");
    private static final Set<String> OPERATORS =
            Set.of("and", "or", "unless", "bool", "atan2", "by", "without", "on", "ignoring", "inf", "nan");

    private PromqlNames() {}

    /** The names in alphabetical order. */
    static Set<String> in(String expression) {
        String rest = expression;
        for (Pattern pattern : new Pattern[] {STRINGS, SELECTORS, GROUPINGS, OFFSETS}) {
            rest = pattern.matcher(rest).replaceAll(" ");
        }
        Set<String> names = new TreeSet<>();
        Matcher words = WORDS.matcher(rest);
        while (words.find()) {
            if (!OPERATORS.contains(words.group().toLowerCase(Locale.ROOT))) {
                names.add(words.group());
            }
        }
        return names;
    }
}
