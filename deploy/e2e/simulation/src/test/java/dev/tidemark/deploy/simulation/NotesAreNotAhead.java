package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.shard.OpenShard;

/**
 * What another worker noted of a shard is not ahead of the worker that has it now. A worker's own note may be, for a
 * moment, when it builds the shard again.
 */
final class NotesAreNotAhead implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            Optional<OffsetNote> note = watched.noteOfAnother(partition);
            Optional<OpenShard.ShardSnapshot> reading = note.isEmpty() ? Optional.empty() : watched.read(partition);
            if (reading.isPresent()) {
                reading.get().view().close();
                Progress noted = note.orElseThrow().progress();
                Progress held = reading.get().status().checkpoint().progress();
                if (noted.completeUpTo().isAfter(held.completeUpTo()) || !held.covers(noted.through())) {
                    violations.add("partition " + partition + " is noted to be " + noted + " by "
                            + note.orElseThrow().url() + ", but is " + held);
                }
            }
        }
        return violations;
    }
}
