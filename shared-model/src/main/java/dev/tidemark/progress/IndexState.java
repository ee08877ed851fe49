package dev.tidemark.progress;

import java.util.Locale;

/** What an index is doing, as answers and metrics name it. */
public enum IndexState {
    /** Follows the writes. */
    STEADY,
    /** Has changes to apply that were there before; answers are older than usual. */
    CATCHING_UP,
    /** Rows are quarantined, so answers may lack them. */
    DEGRADED,
    /** Nothing has been heard for so long, or ever, that how far it is behind cannot be told. */
    UNKNOWN;

    /** The name in answers and metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
