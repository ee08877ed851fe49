package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

import org.jspecify.annotations.Nullable;

/** Reads the lines of a body one by one, counting from 1. A line that is too long is read past, not kept. */
final class LineReader {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int end;
    private long number;

    LineReader(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The next line that is not blank; null at the end. */
    @Nullable
    BulkLine next() throws IOException {
        BulkLine line = any();
        while (line != null && line.isBlank()) {
            line = any();
        }
        return line;
    }

    private @Nullable BulkLine any() throws IOException {
        if (position == end && !fill()) {
            return null;
        }
        number++;
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean tooLong = false;
        do {
            int start = position;
            while (position < end && buffer[position] != '\n') {
                position++;
            }
            tooLong |= line.size() + position - start > maxBytes;
            if (!tooLong) {
                line.write(buffer, start, position - start);
            }
            if (position < end) {
                position++;
                break;
            }
        } while (fill());
        return tooLong ? BulkLine.tooLong(number) : BulkLine.of(number, line.toByteArray());
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer);
        position = 0;
        end = Math.max(0, read);
        return read > 0;
    }
}
