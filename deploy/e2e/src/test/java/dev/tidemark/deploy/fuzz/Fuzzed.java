package dev.tidemark.deploy.fuzz;

import java.util.Locale;

import dev.tidemark.fuzz.FuzzTarget;

/** What a fuzzer calls: the target that the system property {@code fuzz.target} names. */
public final class Fuzzed {
    private static final FuzzTarget TARGET = target();

    private Fuzzed() {}

    /** Called by the fuzzer, by this name. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        TARGET.take(input);
    }

    private static FuzzTarget target() {
        String name = System.getProperty("fuzz.target", "");
        try {
            return Target.valueOf(name.toUpperCase(Locale.ROOT)).make();
        } catch (Exception e) {
            throw new IllegalStateException("Expected target " + name + " to begin", e);
        }
    }
}
