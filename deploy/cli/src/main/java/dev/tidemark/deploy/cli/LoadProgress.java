package dev.tidemark.deploy.cli;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.function.LongConsumer;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.text.Terminal;

/** A file on its way to the writer; on a terminal with a bar that shows rows, rate and what remains. */
final class LoadProgress implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private static final int BAR_MILLIS = 100;

    private final Path file;
    private final @Nullable ProgressBar bar;

    private LoadProgress(Path file, @Nullable ProgressBar bar) {
        this.file = file;
        this.bar = bar;
    }

    static LoadProgress of(Path file, String table, Terminal terminal) throws IOException {
        if (!terminal.errInteractive()) {
            return new LoadProgress(file, null);
        }
        ProgressBar bar = new ProgressBarBuilder()
                .setTaskName(table)
                .setInitialMax(lines(file))
                .setUnit(" rows", 1)
                .showSpeed(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
                .setUpdateIntervalMillis(BAR_MILLIS)
                .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                .setConsumer(new ConsoleProgressBarConsumer(terminal.err()))
                .build();
        return new LoadProgress(file, bar);
    }

    /** Opens the file; what is read from it moves the bar. */
    InputStream open() {
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
            ProgressBar shown = bar;
            return shown == null ? in : new LineCounting(in, shown::stepBy);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    private static long lines(Path file) throws IOException {
        long[] lines = {0};
        try (InputStream in = new LineCounting(Files.newInputStream(file), more -> lines[0] += more)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return lines[0];
    }

    /** Reports the line ends that are read to a listener. */
    private static final class LineCounting extends FilterInputStream {
        private final LongConsumer listener;

        LineCounting(InputStream in, LongConsumer listener) {
            super(in);
            this.listener = listener;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            if (next == '\n') {
                listener.accept(1);
            }
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int count = super.read(buffer, offset, length);
            long ends = 0;
            for (int i = offset; i < offset + count; i++) {
                ends += buffer[i] == '\n' ? 1 : 0;
            }
            if (ends > 0) {
                listener.accept(ends);
            }
            return count;
        }
    }
}
