package dev.tidemark.worker.http;

import java.io.IOException;
import java.net.URI;

import dev.tidemark.fuzz.FuzzTarget;
import dev.tidemark.fuzz.RawHttp;

/** The worker's calls over HTTP; its writer does not answer. It begins anew now and then, because orders add up. */
public final class WorkerTarget implements FuzzTarget, AutoCloseable {
    private static final int CALLS_OF_ONE = 20_000;
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";

    private WorkerServer worker = begun();
    private RawHttp client = new RawHttp(worker.at("/").getPort());
    private int calls;

    /** Starts a worker with a shard in memory. */
    public WorkerTarget() throws Exception {}

    @Override
    public void take(byte[] input) throws Exception {
        if (++calls > CALLS_OF_ONE) {
            close();
            worker = begun();
            client = new RawHttp(worker.at("/").getPort());
            calls = 0;
        }
        client.exchange(input);
    }

    private static WorkerServer begun() throws Exception {
        WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"));
        server.films.put(99, ALIEN).heartbeat(100);
        server.deliver();
        return server;
    }

    @Override
    public void close() throws IOException {
        client.close();
        worker.close();
    }
}
