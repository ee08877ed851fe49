package dev.tidemark.deploy.client;

import java.net.URI;

/** Gives clients of the services at given URLs. */
public interface Services {

    WriterApi writer(URI url);

    WorkerApi worker(URI url);

    /** The definitions, at the writer. */
    CatalogApi catalog(URI writer);

    /** The indexes, at the worker. */
    IndexApi indexes(URI worker);
}
