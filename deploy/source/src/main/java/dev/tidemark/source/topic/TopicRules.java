package dev.tidemark.source.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.tidemark.source.check.Lack;

/** What topics lack before they can be read. */
public final class TopicRules {
    /** Why freshness is unknown where topics are not written in transactions. */
    public static final String NO_PROOF =
            "topics.exactly.once is not set, so freshness is unknown: without transactions"
                    + " of the connector, nothing in the topics proves that they are complete up to a time";

    /** What it means that topics are compacted without a lag, behind their names. */
    private static final String UNSPARED =
            ": compacted with a min.compaction.lag.ms of 0. Where updates leave out long columns, compaction may remove"
                    + " their values unread: set it longer than the source is ever away and needs to read all records,"
                    + " or give the tables REPLICA IDENTITY FULL";

    private TopicRules() {}

    /**
     * Whether Debezium gives the changes of a table to a topic, if no rule of its connector says otherwise. It puts an
     * underscore in the place of characters that no topic has.
     */
    static boolean isNamedAfter(String topic, String table) {
        return topic.endsWith(ending(table));
    }

    private static String ending(String table) {
        return "." + table.replaceAll("[^a-zA-Z0-9._-]", "_");
    }

    /** What it means that no topic brings a table, and no record is about it. */
    static String noTopic(String table) {
        return noName(table) + ", and no record is about that table. Its rows stay as they are, and their freshness is"
                + " unknown";
    }

    /** What it means that no topic has the name of a table, before records are read. */
    static String lacksTopic(String table) {
        return noName(table) + "; where no record of another topic is about that table, its rows stay as they are";
    }

    private static String noName(String table) {
        return "none of the topics has a name that ends with " + ending(table);
    }

    /**
     * Judges what was found.
     *
     * @param exactlyOnce whether the user says that they are written in transactions
     * @param tables names that the database gives to the tables of the source
     */
    public static List<Lack> lacks(Topics.Found found, boolean exactlyOnce, List<String> tables) {
        List<Lack> lacks = new ArrayList<>();
        found.incomplete().ifPresent(why -> lacks.add(Lack.must(why + "; have Debezium write complete topics")));
        for (String table : tables) {
            if (found.topics().keySet().stream().noneMatch(topic -> isNamedAfter(topic, table))) {
                lacks.add(Lack.note(lacksTopic(table)));
            }
        }
        String unspared = found.compacted().entrySet().stream()
                .filter(topic -> topic.getValue().spares().isZero())
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!unspared.isEmpty()) {
            lacks.add(Lack.note(unspared + UNSPARED));
        }
        if (!exactlyOnce) {
            lacks.add(Lack.note(NO_PROOF));
        }
        return lacks;
    }
}
