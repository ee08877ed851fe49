package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.IndexApi;
import dev.tidemark.deploy.client.IndexLife;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.text.BuildLines;
import dev.tidemark.deploy.text.Redraw;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.Waiting;

/** Waits until indexes are ready, and on a terminal shows how far they are. */
final class BuildWatch {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final IndexApi indexes;
    private final Terminal terminal;
    private final boolean silent;

    /** One index that is waited for. */
    private record Wanted(String table, String index, long generation) {
        boolean is(IndexLife life) {
            return life.is(table, index, generation);
        }
    }

    BuildWatch(IndexApi indexes, Terminal terminal, boolean silent) {
        this.indexes = indexes;
        this.terminal = terminal;
        this.silent = silent;
    }

    /**
     * Waits for the indexes that a change made.
     *
     * @param answer what the writer answered to the change
     * @return whether all are ready; false as soon as one is degraded
     */
    boolean untilReady(JsonNode answer) throws ServiceException, InterruptedException {
        List<Wanted> wanted = wanted(answer);
        Redraw screen = new Redraw(terminal);
        while (true) {
            List<IndexLife> lives = indexes.lives().stream()
                    .filter(life -> wanted.stream().anyMatch(one -> one.is(life)))
                    .toList();
            if (!silent && terminal.interactive()) {
                screen.draw(BuildLines.render(lives, terminal));
            }
            List<IndexLife> degraded = lives.stream()
                    .filter(life -> life.state().equals("degraded"))
                    .toList();
            if (!degraded.isEmpty()) {
                degraded.forEach(life -> terminal.complain(life.qualifiedName() + " is degraded: " + life.cause()));
                return false;
            }
            if (lives.size() >= wanted.size() && lives.stream().allMatch(IndexLife::isReady)) {
                tell(lives);
                return true;
            }
            Waiting.rest(PAUSE);
        }
    }

    private void tell(List<IndexLife> ready) {
        if (!silent && !terminal.interactive()) {
            ready.forEach(life -> terminal.line(life.qualifiedName() + " is ready"));
        }
    }

    private static List<Wanted> wanted(JsonNode answer) {
        List<Wanted> wanted = new ArrayList<>();
        for (JsonNode change : answer.path("changes")) {
            if (!change.path("action").asText().equals("drop")) {
                wanted.add(new Wanted(
                        change.path("table").asText(),
                        change.path("index").asText(),
                        change.path("generation").asLong()));
            }
        }
        return wanted;
    }
}
