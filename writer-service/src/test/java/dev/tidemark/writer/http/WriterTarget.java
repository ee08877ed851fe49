package dev.tidemark.writer.http;

import java.io.IOException;

import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.fuzz.RawHttp;
import dev.tidemark.http.PortInUseException;

/** The writer's calls over HTTP. It begins anew now and then, because what was accepted stays. */
public final class WriterTarget implements FuzzTarget, AutoCloseable {
    private static final int CALLS_OF_ONE = 20_000;

    private ApiFixture writer = new ApiFixture();
    private RawHttp client = new RawHttp(writer.port());
    private int calls;

    /** Starts a writer with a disk in memory. */
    public WriterTarget() throws PortInUseException {}

    @Override
    public void take(byte[] input) throws Exception {
        if (++calls > CALLS_OF_ONE) {
            close();
            writer = new ApiFixture();
            client = new RawHttp(writer.port());
            calls = 0;
        }
        client.exchange(input);
    }

    @Override
    public void close() throws IOException {
        client.close();
        writer.close();
    }
}
