package dev.tidemark.deploy.cli;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** A file that reports how many of its lines were read. Only a buffer reads it, and that reads pieces, not bytes. */
final class CountedLines extends FilterInputStream {
    private static final int BUFFER = 64 * 1024;

    private final LongConsumer listener;
    private long lines;

    private CountedLines(InputStream in, LongConsumer listener) {
        super(in);
        this.listener = listener;
    }

    static InputStream open(Path file, LongConsumer listener) {
        try {
            return new BufferedInputStream(new CountedLines(Files.newInputStream(file), listener), BUFFER);
        } catch (IOException e) {
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
        int count = super.read(buffer, offset, length);
        for (int i = offset; i < offset + count; i++) {
            lines += buffer[i] == '\n' ? 1 : 0;
        }
        listener.accept(lines);
        return count;
    }
}
