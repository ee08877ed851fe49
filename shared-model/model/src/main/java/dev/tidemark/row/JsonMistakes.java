package dev.tidemark.row;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;

/** What is wrong with JSON, in words for its sender: those of the parser name its classes and settings. */
final class JsonMistakes {
    private static final Pattern BEYOND = Pattern.compile("\\((\\d+)\\) exceeds the maximum allowed \\((\\d+)");
    private static final Pattern NOT_STANDARD = Pattern.compile("^Non-standard token '([^']*)'.*");

    /** Where the parser's message goes on with what the sender cannot use. */
    private static final Pattern INSIDE = Pattern.compile(
            ": enable |: maybe a | \\(for (Object|Array) starting| \\(start marker|`|Feature|Source:|com\\.fasterxml");

    private JsonMistakes() {}

    /** The mistake that the parser found. */
    static BadJsonException of(JsonProcessingException e) {
        if (e instanceof StreamConstraintsException) {
            return limit(String.valueOf(e.getOriginalMessage()), where(e));
        }
        if (e instanceof MismatchedInputException) {
            return new BadJsonException("expected one JSON value, but more follows it" + where(e));
        }
        String found =
                e instanceof JsonEOFException ? "it ends too soon" : words(String.valueOf(e.getOriginalMessage()));
        return new BadJsonException("expected JSON, but " + found + where(e));
    }

    private static String words(String message) {
        Matcher token = NOT_STANDARD.matcher(message);
        if (token.matches()) {
            return token.group(1) + " is no value of JSON";
        }
        Matcher inside = INSIDE.matcher(message);
        String words = inside.find() ? message.substring(0, inside.start()) : message;
        return words.isBlank() ? "it is none" : words;
    }

    /** Only the text of the parser's message names the limit that was exceeded. */
    private static BadJsonException limit(String message, String where) {
        Matcher numbers = BEYOND.matcher(message);
        boolean known = numbers.find();
        String found = (known ? numbers.group(1) : "more") + where;
        String most = "at most " + (known ? numbers.group(2) : "a limited number of");
        if (message.contains("nesting depth")) {
            return new BadJsonException(
                    "expected JSON nested " + most + " levels deep, but got " + found, ProblemType.JSON_TOO_DEEP);
        }
        if (message.startsWith("Number")) {
            return new BadJsonException(
                    "expected a number of " + most + " digits, but got " + found, ProblemType.NUMBER_TOO_LONG);
        }
        if (message.startsWith("Name")) {
            return new BadJsonException(
                    "expected a member name of " + most + " characters, but got " + found, ProblemType.NAME_TOO_LONG);
        }
        String kind = message.startsWith("Token") ? " values, names and brackets" : " characters in a string";
        return new BadJsonException(
                "expected JSON of " + most + kind + ", but got " + found, ProblemType.JSON_TOO_LARGE);
    }

    /** The place, without a line where there is but one, as in a line of many rows. */
    private static String where(JsonProcessingException e) {
        JsonLocation place = e.getLocation();
        if (place == null) {
            return "";
        }
        String line = place.getLineNr() > 1 ? "line " + place.getLineNr() + ", " : "";
        return " at " + line + "column " + place.getColumnNr();
    }
}
