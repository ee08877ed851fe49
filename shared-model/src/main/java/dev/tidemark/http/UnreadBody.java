package dev.tidemark.http;

import java.io.IOException;
import java.io.InputStream;

import io.javalin.http.Context;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is left of a request that is refused before all of it was read. Many clients send everything before they read
 * anything; answered and closed in the middle, they would find a broken connection in place of the answer.
 */
final class UnreadBody {
    /** Beyond this, breaking the connection is the lesser evil. */
    static final long MOST_BYTES = 256L << 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(UnreadBody.class);
    private static final int CHUNK_BYTES = 64 * 1024;

    private UnreadBody() {}

    /** Reads the rest and keeps nothing of it. A client that asked before it sends is not told to send. */
    static void discard(Context context) {
        if (context.header("Expect") != null || context.req().getContentLengthLong() > MOST_BYTES) {
            return;
        }
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            InputStream in = context.req().getInputStream();
            long discarded = 0;
            for (int read = in.read(chunk); read >= 0 && discarded < MOST_BYTES; read = in.read(chunk)) {
                discarded += read;
            }
        } catch (IOException | IllegalStateException e) {
            LOGGER.debug("The rest of a refused request cannot be read", e);
        }
    }
}
