package dev.tidemark.deploy.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Hears whether the person at the terminal agrees. */
@FunctionalInterface
interface ConfirmationPrompt {
    /** Waits for the answer; empty when the input cannot give one. */
    Optional<Boolean> agrees();

    /**
     * Reads the answer from a stream. {@code y} and {@code yes} agree; any other line refuses; the end of the stream is
     * no answer.
     */
    static ConfirmationPrompt of(InputStream in) {
        return () -> {
            try {
                String line = new BufferedReader(new InputStreamReader(in, Charset.defaultCharset())).readLine();
                return line == null
                        ? Optional.empty()
                        : Optional.of(Set.of("y", "yes").contains(line.strip().toLowerCase(Locale.ROOT)));
            } catch (IOException e) {
                return Optional.empty();
            }
        };
    }
}
