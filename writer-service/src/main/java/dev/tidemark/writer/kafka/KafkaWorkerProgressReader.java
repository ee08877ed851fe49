package dev.tidemark.writer.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.common.KafkaException;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.kafka.GroupNotes;
import dev.tidemark.progress.OffsetNote;
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
        List<TableDefinition> homes = inForce.get().layout().tables().stream()
                .map(DesiredTable::definition)
                .toList();
        GroupNotes.Reading reading;
        try {
            reading = notes.read(homes.stream().map(TableDefinition::name).toList());
        } catch (KafkaException e) {
            throw new LogUnavailableException("the workers' groups: " + e.getMessage(), e);
        }
        if (!reading.listed()) {
            // A group that is not known yet may be further behind than those that are.
            throw new LogUnavailableException("not all brokers list the workers' groups");
        }
        List<Noted> noted = new ArrayList<>();
        for (GroupNotes.Noted note : reading.notes()) {
            if (!reading.unread().containsKey(note.replicaGroup())) {
                noted.add(new Noted(
                        note.replicaGroup(),
                        note.live(),
                        note.table(),
                        note.partition(),
                        note.note().map(OffsetNote::progress),
                        note.note().<Set<Long>>map(OffsetNote::generations).orElse(Set.of())));
            }
        }
        reading.unread()
                .forEach((group, live) -> homes.stream()
                        .flatMap(home -> unknown(group, live, home))
                        .forEach(noted::add));
        return noted;
    }

    /** A worker that is further behind may have taken any partition over since a group was read. */
    private static Stream<Noted> unknown(String replicaGroup, boolean live, TableDefinition home) {
        return IntStream.range(0, home.partitions())
                .mapToObj(
                        partition -> new Noted(replicaGroup, live, home.name(), partition, Optional.empty(), Set.of()));
    }
}
