package dev.tidemark.deploy.cli;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.text.Terminal;

/** A progress bar on standard error where that is a terminal, and nothing elsewhere. */
final class ProgressLine implements AutoCloseable {
    private static final int REDRAW_MILLIS = 100;

    private final Terminal terminal;
    private final String unit;
    private final boolean speed;
    private String task = "";
    private @Nullable ProgressBar bar;

    ProgressLine(Terminal terminal, String unit, boolean speed) {
        this.terminal = terminal;
        this.unit = unit;
        this.speed = speed;
    }

    /** Shows how far a task is. Another task than before begins another bar. */
    void show(String name, long done, long total) {
        if (!terminal.errInteractive()) {
            return;
        }
        ProgressBar shown = bar;
        if (shown == null || !name.equals(task)) {
            close();
            ProgressBarBuilder builder = new ProgressBarBuilder()
                    .setTaskName(Terminal.printable(name))
                    .setInitialMax(total)
                    .setUnit(" " + unit, 1)
                    .setUpdateIntervalMillis(REDRAW_MILLIS)
                    .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                    .setConsumer(new ConsoleProgressBarConsumer(terminal.err()));
            if (speed) {
                builder.showSpeed(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)));
            }
            task = name;
            shown = builder.build();
            bar = shown;
        }
        shown.maxHint(total).stepTo(done);
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
