package dev.tidemark.writer.outbox;

/** A topic disagrees with its table so that nothing may be published; the message names topic, found and expected. */
public final class TopicRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public TopicRefusedException(String topic, String objection) {
        super(text(topic, objection));
    }

    static String text(String topic, String objection) {
        return "topic " + topic + " cannot be used: " + objection;
    }
}
