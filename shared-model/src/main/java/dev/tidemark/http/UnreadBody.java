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
    /** The same for those who have not shown who they are. */
    static final long MOST_BYTES_OF_STRANGERS = 64 * 1024;

    /** Beyond this, breaking the connection is the lesser evil. */
    static final long MOST_BYTES = 256L << 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(UnreadBody.class);
    private static final int CHUNK_BYTES = 64 * 1024;

    private UnreadBody() {}

    /** Reads the rest and keeps nothing of it. A client that asked before it sends is not told to send. */
    static void discard(Context context, long most) {
        if (context.header("Expect") != null || context.req().getContentLengthLong() > most) {
            return;
        }
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            InputStream in = context.req().getInputStream();
            long discarded = 0;
            for (int read = in.read(chunk); read >= 0 && discarded < most; read = in.read(chunk)) {
                discarded += read;
            }
        } catch (IOException | IllegalStateException e) {
            LOGGER.debug("The rest of a refused request cannot be read", e);
        }
    }
}
