package dev.tidemark.progress;

import java.util.Locale;

/** What an index is doing, as answers and metrics name it. */
public enum IndexHealth {
    /** Follows the writes. */
    STEADY,
    /** Is late, and the changes that it lacks are known to wait; answers are older than usual. */
    CATCHING_UP,
    /** Is being read into again up to where its log ended when it was opened; answers are as old as what was stored. */
    RESTORING,
    /** Rows are quarantined, or a partition is missing, so answers may lack rows. */
    DEGRADED,
    /** An operator stopped it from following; answers grow older until it is resumed. */
    PAUSED,
    /** How far it is behind is unknown, because no report has arrived recently, or ever. */
    UNKNOWN;

    /** The name in answers and metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
