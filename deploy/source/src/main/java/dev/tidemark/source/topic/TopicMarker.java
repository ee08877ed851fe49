package dev.tidemark.source.topic;

import java.util.Map;

import dev.tidemark.runtime.Agent;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.feed.MarkerContent;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.Writer;

/** Puts the writer's clock into the stream of the database, from where Debezium takes it to a topic. */
public final class TopicMarker implements Agent {
    private final Writer writer;
    private final Database database;
    private final Progress progress;
    private String complaint = "";

    public TopicMarker(Writer writer, Database database, Progress progress) {
        this.writer = writer;
        this.database = database;
        this.progress = progress;
    }

    @Override
    public String roleName() {
        return "marker";
    }

    @Override
    public int doWork() throws InterruptedException {
        String why = "";
        try {
            database.mark(new MarkerContent(writer.state().time(), Map.of()).toBytes());
        } catch (Database.DatabaseException | RuntimeException e) {
            why = e.getMessage() + "; the watermark stands still";
        }
        if (!why.isEmpty() && !why.equals(complaint)) {
            progress.warn(why);
        }
        complaint = why;
        return 0;
    }
}
