package dev.tidemark.source.topic;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.source.check.Lack;

/** What topics lack before they can be read. */
public final class TopicRules {
    /** Why freshness is unknown where topics are not written in transactions. */
    public static final String NO_PROOF =
            "topics.exactly.once is not set, so freshness is unknown: without transactions"
                    + " of the connector, nothing in the topics proves that they are complete up to a time";

    private TopicRules() {}

    /**
     * Judges what was found.
     *
     * @param exactlyOnce whether the user says that they are written in transactions
     */
    public static List<Lack> lacks(Topics.Found found, boolean exactlyOnce) {
        List<Lack> lacks = new ArrayList<>();
        found.incomplete()
                .ifPresent(why -> lacks.add(new Lack(true, why + "; have Debezium write complete topics", "")));
        if (!exactlyOnce) {
            lacks.add(new Lack(false, NO_PROOF, ""));
        }
        return lacks;
    }
}
