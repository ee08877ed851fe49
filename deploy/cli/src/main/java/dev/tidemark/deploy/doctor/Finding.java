package dev.tidemark.deploy.doctor;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The result of one check.
 *
 * @param check its name, such as {@code writer disk}
 * @param found what is there, or why nothing was looked at
 * @param expected empty where the verdict is ok or skipped
 * @param advice what to do, in one sentence; empty like {@code expected}
 */
public record Finding(String check, Verdict verdict, String found, String expected, String advice) {
    /** What is concluded. */
    public enum Verdict {
        OK,
        WARNING,
        FAILED,
        SKIPPED;

        /** As people and programs read it. */
        @JsonValue
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
