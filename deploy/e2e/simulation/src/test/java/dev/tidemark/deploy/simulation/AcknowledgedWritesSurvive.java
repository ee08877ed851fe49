package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.StoredRow;

/**
 * What a client was told is written, is; and the fact table holds exactly what was committed, whole changes only.
 */
final class AcknowledgedWritesSurvive implements Guarantee {
    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        History history = watched.history();
        for (RowVersion version : history.acknowledgedVersions()) {
            if (!history.holds(version)) {
                violations.add("acknowledged " + version + " was never committed");
            }
        }
        for (KeyBytes key : history.keys()) {
            StoredRow row = watched.writer().facts().find(watched.facts(), key);
            if (!agrees(history.newest(key).orElse(null), row)) {
                violations.add("the fact table holds " + row + ", but the newest change is " + history.newest(key));
            }
        }
        return violations;
    }

    private static boolean agrees(@Nullable ChangeEvent newest, @Nullable StoredRow row) {
        if (newest instanceof ChangeEvent.Upserted upserted) {
            return row != null
                    && row.version().equals(upserted.version())
                    && row.row().equals(upserted.row());
        }
        return row == null;
    }
}
