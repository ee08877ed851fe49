package dev.tidemark.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.text.Terminal;

/** How far a rehearsal has read; a bar on a terminal, nothing elsewhere. One bar for each table. */
final class PlanProgress implements AutoCloseable {
    private static final int BAR_MILLIS = 100;

    private final Terminal terminal;
    private String table = "";
    private @Nullable ProgressBar bar;

    PlanProgress(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Shows what the worker says, which is nothing while others come first. */
    void show(JsonNode progress) {
        if (!terminal.errInteractive() || progress.isMissingNode()) {
            return;
        }
        if (!progress.path("table").asText().equals(table)) {
            close();
            table = progress.path("table").asText();
            bar = new ProgressBarBuilder()
                    .setTaskName(table)
                    .setInitialMax(progress.path("offsetsTotal").asLong())
                    .setUnit(" changes", 1)
                    .setUpdateIntervalMillis(BAR_MILLIS)
                    .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                    .setConsumer(new ConsoleProgressBarConsumer(terminal.err()))
                    .build();
        }
        ProgressBar shown = bar;
        if (shown != null) {
            shown.stepTo(progress.path("offsetsDone").asLong());
        }
    }

    @Override
    public void close() {
        ProgressBar shown = bar;
        bar = null;
        if (shown != null) {
            shown.close();
        }
    }
}
