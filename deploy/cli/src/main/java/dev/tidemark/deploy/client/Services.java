package dev.tidemark.deploy.client;

import java.net.URI;

/** Gives clients of the services at given URLs. */
public interface Services {

    /**
     * The same services, for a client that shows something.
     *
     * @throws ServiceException when a file of the identity cannot be used
     */
    Services as(ClientIdentity identity) throws ServiceException;

    WriterApi writer(URI url);

    WorkerApi worker(URI url);

    /** The definitions, at the writer. */
    CatalogApi catalog(URI writer);

    /** The indexes, at the worker. */
    IndexApi indexes(URI worker);

    /**
     * Backups of a service.
     *
     * @param name {@code writer} or {@code worker}
     */
    BackupApi backups(String name, URI service);
}
