package dev.tidemark.writer.http;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Call;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.Precondition;

/** Reads {@code If-Match} and {@code If-None-Match}, RFC 9110. */
final class RequestPreconditions {
    private static final Pattern TAG = Pattern.compile("\\G\\s*(W/)?\"([^\"]*)\"\\s*(,|$)");

    private RequestPreconditions() {}

    /** The entity tag of a version. */
    static String tag(RowVersion version) {
        return "\"" + version + "\"";
    }

    /** What must hold for a write; 400 when a header is not as expected. */
    static Precondition of(Call call) {
        String match = call.header("If-Match");
        String noneMatch = call.header("If-None-Match");
        if (match != null && noneMatch != null) {
            throw bad("expected If-Match or If-None-Match, but got both");
        }
        if (noneMatch != null) {
            if (!noneMatch.trim().equals("*")) {
                throw bad("expected If-None-Match: * for a write, but got " + noneMatch);
            }
            return Precondition.Presence.ABSENT;
        }
        if (match == null) {
            return Precondition.NONE;
        }
        return match.trim().equals("*") ? Precondition.Presence.PRESENT : new Precondition.IfVersion(versions(match));
    }

    /** Whether a reader already has this version. */
    static boolean alreadyHas(Call call, RowVersion version) {
        String noneMatch = call.header("If-None-Match");
        if (noneMatch == null) {
            return false;
        }
        return noneMatch.trim().equals("*") || versions(noneMatch).contains(version);
    }

    private static Set<RowVersion> versions(String header) {
        Set<RowVersion> versions = new LinkedHashSet<>();
        Matcher matcher = TAG.matcher(header);
        int end = 0;
        while (end < header.length() && matcher.find()) {
            version(matcher.group(1), matcher.group(2)).ifPresent(versions::add);
            end = matcher.end();
        }
        if (end < header.length() || header.isBlank() || header.trim().endsWith(",")) {
            throw bad("expected versions in double quotes, as in If-Match: \"0001000000000000042\", or *, but got "
                    + header);
        }
        return versions;
    }

    /** A tag that no version has, or a weak one, is a good tag that matches nothing. */
    private static Optional<RowVersion> version(@Nullable String weak, String text) {
        try {
            return weak == null ? Optional.of(RowVersion.parse(text)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static ProblemException bad(String detail) {
        return new ProblemException(Problem.badRequest(detail));
    }
}
