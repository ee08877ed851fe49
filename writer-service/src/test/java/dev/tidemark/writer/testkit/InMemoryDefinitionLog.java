package dev.tidemark.writer.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.writer.catalog.DefinitionLog;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.catalog.LoggedDefinitions;

/** A log of definitions that keeps every record, and can be down. */
public final class InMemoryDefinitionLog implements DefinitionLog {
    private final List<LoggedDefinitions> records = new ArrayList<>();
    private boolean down;
    private int reads;

    /** Answers no more, or again. */
    public void down(boolean isDown) {
        down = isDown;
    }

    /** What somebody else wrote, without a seal. */
    public void write(Definitions definitions) {
        write(new String(DefinitionsJson.write(definitions), StandardCharsets.UTF_8));
    }

    /** The same, of any text. */
    public void write(String text) {
        records.add(new LoggedDefinitions(text, 1, ""));
    }

    /** Loses everything. */
    public void lose() {
        records.clear();
    }

    /** How often it was read. */
    public int reads() {
        return reads;
    }

    /** The versions of all records, oldest first. */
    public List<Long> versions() throws BadDefinitionsException {
        List<Long> versions = new ArrayList<>();
        for (LoggedDefinitions message : records) {
            versions.add(DefinitionsJson.read(message.json().getBytes(StandardCharsets.UTF_8))
                    .version());
        }
        return versions;
    }

    @Override
    public void read(Consumer<LoggedDefinitions> reader) throws LogUnavailableException {
        reads++;
        answer();
        records.forEach(reader);
    }

    @Override
    public void publish(LoggedDefinitions message, long version) throws LogUnavailableException {
        answer();
        records.add(message);
    }

    private void answer() throws LogUnavailableException {
        if (down) {
            throw new LogUnavailableException("down");
        }
    }
}
