package dev.tidemark.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * A body whose source may fail. The HTTP client of Java 17 takes an {@link IOException} for the end of the body, and
 * any other exception breaks the request off.
 */
final class UnbrokenStream extends FilterInputStream {
    UnbrokenStream(InputStream source) {
        super(source);
    }

    @Override
    public int read() {
        try {
            return super.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        try {
            return super.read(buffer, offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
