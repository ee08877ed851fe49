package dev.tidemark.writer.kafka;

import java.util.List;
import java.util.function.Supplier;

import org.apache.kafka.common.KafkaException;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.writer.catalog.LogUnavailableException;
import dev.tidemark.writer.lag.WorkerProgressReader;

/** Reads the progress that the index workers note beside the offsets they commit for their consumer groups. */
public final class KafkaWorkerProgressReader implements WorkerProgressReader {
    private final GroupNotes notes;
    private final Supplier<Definitions> inForce;

    /**
     * A reader.
     *
     * @param inForce gives the definitions as people write them
     */
    public KafkaWorkerProgressReader(GroupNotes notes, Supplier<Definitions> inForce) {
        this.notes = notes;
        this.inForce = inForce;
    }

    @Override
    public List<Noted> read() throws LogUnavailableException, InterruptedException {
        List<String> tables =
                inForce.get().layout().tables().stream().map(DesiredTable::name).toList();
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
