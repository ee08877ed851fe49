package dev.tidemark.deploy.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.worker.store.GenerationState;

/** Unless the worker ended in between, a build never goes back: neither where it reads, nor from a later phase. */
final class ProgressOnlyGrows implements Guarantee {
    private final Map<String, Long> copied = new HashMap<>();
    private int worker = -1;

    @Override
    public List<String> violations(Watched watched) {
        if (worker != watched.starts()) {
            worker = watched.starts();
            copied.clear();
        }
        List<String> violations = new ArrayList<>();
        for (int partition = 0; partition < watched.table().partitions(); partition++) {
            var status = watched.status(partition);
            if (status.isPresent()) {
                for (var held : status.get().checkpoint().generations().values()) {
                    if (held.phase() instanceof GenerationState.Building building) {
                        String what = partition + " generation " + held.id() + " pass " + building.passes();
                        Long before = copied.put(what, building.copied());
                        if (before != null && before > building.copied()) {
                            violations.add("partition " + what + " went from " + before + " to " + building);
                        }
                    }
                }
            }
        }
        return violations;
    }
}
