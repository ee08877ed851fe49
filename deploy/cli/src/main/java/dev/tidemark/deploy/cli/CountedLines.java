package dev.tidemark.deploy.cli;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A file that reports how many of its lines were read. Only a buffer reads it, and that reads pieces, not bytes. */
final class CountedLines extends FilterInputStream {
    private static final int BUFFER = 64 * 1024;

    private final LongConsumer listener;
    private final Consumer<IOException> failed;
    private long lines;

    private CountedLines(InputStream in, LongConsumer listener, Consumer<IOException> failed) {
        super(in);
        this.listener = listener;
        this.failed = failed;
    }

    static InputStream open(Path file, LongConsumer listener) {
        return open(file, listener, failure -> {});
    }

    /**
     * The same.
     *
     * @param failed gets what ends the reading before the end of the file, beside the reader
     */
    static InputStream open(Path file, LongConsumer listener, Consumer<IOException> failed) {
        try {
            return new BufferedInputStream(new CountedLines(Files.newInputStream(file), listener, failed), BUFFER);
        } catch (IOException e) {
            failed.accept(e);
            throw new UncheckedIOException(e);
        }
    }

    static long of(Path file) throws IOException {
        long[] lines = {0};
        try (InputStream in = open(file, read -> lines[0] = read)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return lines[0];
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = readOn(buffer, offset, length);
        for (int i = offset; i < offset + count; i++) {
            lines += buffer[i] == '\n' ? 1 : 0;
        }
        listener.accept(lines);
        return count;
    }

    private int readOn(byte[] buffer, int offset, int length) throws IOException {
        try {
            return super.read(buffer, offset, length);
        } catch (IOException e) {
            failed.accept(e);
            throw e;
        }
    }
}
