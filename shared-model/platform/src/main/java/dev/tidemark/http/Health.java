package dev.tidemark.http;

import java.util.List;
import java.util.Optional;

/** Whether the service can do its work, as {@code /health/ready} answers. */
public interface Health {
    /** Every part of readiness, checked now; called by any thread, returns quickly. */
    List<Check> readiness();

    /**
     * One part of readiness.
     *
     * @param name what is checked
     * @param problem why it is not well; empty when it is
     * @param note a remark for the operator that does not make the service unready
     */
    record Check(String name, Optional<String> problem, Optional<String> note) {
        public static Check well(String name) {
            return new Check(name, Optional.empty(), Optional.empty());
        }

        /** A part that is well unless it has a problem. */
        public static Check of(String name, Optional<String> problem) {
            return new Check(name, problem, Optional.empty());
        }

        /** A part that does its work, with a remark for the operator. */
        public static Check noted(String name, String note) {
            return new Check(name, Optional.empty(), Optional.of(note));
        }

        public static Check unwell(String name, String problem) {
            return new Check(name, Optional.of(problem), Optional.empty());
        }
    }
}
