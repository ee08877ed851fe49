package dev.tidemark.writer.http;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** Finds the lines of a body that comes in pieces. A line that is too long is read past, not kept. */
final class LineFeed {
    private final int maxBytes;
    private ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private boolean tooLong;
    private boolean inLine;
    private long number;

    /** Takes lines. */
    @FunctionalInterface
    interface Sink {
        /**
         * Takes a line that is not blank.
         *
         * @param number its place in the body, counting from 1
         * @param bytes its content without the line end; null when it is too long
         */
        void line(long number, byte @Nullable [] bytes);
    }

    LineFeed(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Gives each line that ends in a piece. */
    void take(byte[] bytes, int length, Sink sink) {
        int start = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                end(bytes, start, i, sink);
                start = i + 1;
            }
        }
        if (start < length) {
            keep(bytes, start, length);
        }
    }

    /** Gives the last line, where nothing ended it. */
    void end(Sink sink) {
        if (inLine) {
            end(new byte[0], 0, 0, sink);
        }
    }

    /** How many bytes are kept of a line whose end has not come. */
    int keptBytes() {
        return begun.size();
    }

    private void end(byte[] bytes, int start, int end, Sink sink) {
        boolean alone = !inLine && end - start <= maxBytes;
        if (!alone) {
            keep(bytes, start, end);
        }
        number++;
        byte[] line = alone ? Arrays.copyOfRange(bytes, start, end) : begun.toByteArray();
        boolean whole = !tooLong;
        begun = new ByteArrayOutputStream(0);
        tooLong = false;
        inLine = false;
        if (!whole || !isBlank(line)) {
            sink.line(number, whole ? line : null);
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    private void keep(byte[] bytes, int start, int end) {
        inLine = true;
        tooLong |= begun.size() + end - start > maxBytes;
        if (tooLong) {
            begun = new ByteArrayOutputStream(0);
        } else {
            begun.write(bytes, start, end - start);
        }
    }
}
