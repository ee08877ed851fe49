package dev.tidemark.deploy.client;

import java.net.URI;

/** Gives clients of the services at given URLs. */
public interface Services {

    WriterApi writer(URI url);

    WorkerApi worker(URI url);
}
