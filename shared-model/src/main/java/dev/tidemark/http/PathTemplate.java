package dev.tidemark.http;

import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A path in which names stand for segments, such as {@code /v1/tables/{table}/rows}. */
final class PathTemplate {
    private final List<String> segments;

    private PathTemplate(List<String> segments) {
        this.segments = segments;
    }

    static PathTemplate of(String path) {
        return new PathTemplate(segments(path));
    }

    /** The segments of a path as it was sent: not decoded, and no other way to write the same path. */
    static List<String> segments(String path) {
        List<String> segments = new ArrayList<>(6);
        int at = 1;
        for (int slash = path.indexOf('/', at); slash >= 0; slash = path.indexOf('/', at)) {
            segments.add(path.substring(at, slash));
            at = slash + 1;
        }
        segments.add(path.substring(Math.min(at, path.length())));
        return segments;
    }

    /** Whether a path has this shape. */
    boolean matches(List<String> path) {
        if (path.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < path.size(); i++) {
            String wanted = segments.get(i);
            String found = path.get(i);
            // Dots lead elsewhere for many clients and proxies; a name of dots can be sent percent-encoded.
            boolean fits = isName(wanted)
                    ? !found.isEmpty() && !found.equals(".") && !found.equals("..")
                    : wanted.equals(found);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /**
     * What stands for each name in a path of this shape.
     *
     * @throws ProblemException 400 when a segment is not percent-encoded UTF-8
     */
    Map<String, String> names(List<String> path) {
        Map<String, String> names = new LinkedHashMap<>(4);
        for (int i = 0; i < path.size(); i++) {
            String wanted = segments.get(i);
            if (isName(wanted)) {
                names.put(wanted.substring(1, wanted.length() - 1), decoded(path.get(i)));
            }
        }
        return names;
    }

    /** What a segment stands for; 400 when its encoding is broken. */
    static String decoded(String segment) {
        try {
            return PercentText.decoded(segment, false);
        } catch (CharacterCodingException e) {
            throw new ProblemException(
                    Problem.badRequest("expected a path of percent-encoded UTF-8, but got " + segment));
        }
    }

    private static boolean isName(String segment) {
        return segment.length() > 2 && segment.charAt(0) == '{';
    }
}
