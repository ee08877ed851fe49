package dev.tidemark.writer.kafka;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.apache.kafka.common.KafkaException;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.lag.WorkerProgressReader;

/** Reads the progress that the index workers note beside the offsets they commit for their consumer groups. */
public final class KafkaWorkerProgressReader implements WorkerProgressReader {
    private final GroupNotes notes;
    private final Set<String> tables;

    public KafkaWorkerProgressReader(GroupNotes notes, List<TableDefinition> tables) {
        this.notes = notes;
        this.tables = tables.stream().map(TableDefinition::name).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Noted> read() throws LogUnavailableException, InterruptedException {
        try {
            return notes.read(tables).stream()
                    .map(note -> new Noted(
                            note.replicaGroup(),
                            note.live(),
                            note.table(),
                            note.partition(),
                            note.note().map(known -> known.progress())))
                    .toList();
        } catch (KafkaException e) {
            throw new LogUnavailableException("the workers' groups: " + e.getMessage(), e);
        }
    }
}
