package dev.tidemark.http;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Looks whether paths have a shape, such as {@code /v1/tables/*}{@code /rows/*}. */
final class PathShape {
    private PathShape() {}

    /** What stands for the stars, in their order; null where a path does not have the shape, or needs decoding. */
    static @Nullable List<String> names(String shape, String path) {
        List<String> names = new ArrayList<>(2);
        int at = 0;
        for (int i = 0; i < shape.length(); i++) {
            if (shape.charAt(i) == '*') {
                int end = at;
                while (end < path.length() && isPlain(path.charAt(end))) {
                    end++;
                }
                String name = path.substring(at, end);
                if (name.isEmpty() || name.chars().allMatch(c -> c == '.')) {
                    return null;
                }
                names.add(name);
                at = end;
            } else if (at == path.length() || path.charAt(at++) != shape.charAt(i)) {
                return null;
            }
        }
        return at == path.length() ? names : null;
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == '-'
                || c == '.'
                || c == ',';
    }
}
