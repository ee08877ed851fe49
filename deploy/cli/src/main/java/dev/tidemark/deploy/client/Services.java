package dev.tidemark.deploy.client;

import java.net.URI;

import com.fasterxml.jackson.databind.JsonNode;

/** Gives clients of the services at given URLs. */
public interface Services {
    /**
     * The same services, for a client that shows something.
     *
     * @throws ServiceException when a file of the identity cannot be used
     */
    Services as(ClientIdentity identity) throws ServiceException;

    /**
     * Calls of a service.
     *
     * @param name {@code writer} or {@code worker}
     * @param urls where it is; of several, the next one is called where one cannot be reached
     * @throws ServiceException when one is no URL of a service
     */
    ServiceCalls at(String name, URI... urls) throws ServiceException;

    default WriterApi writer(URI... urls) throws ServiceException {
        return new WriterApi(at("writer", urls));
    }

    default WorkerApi worker(URI url) throws ServiceException {
        return new WorkerApi(at("worker", url));
    }

    /** Has a service copy what it keeps, on its own machine; the answer has name, path and bytes of the copy. */
    default JsonNode backUp(String name, URI... urls) throws ServiceException, InterruptedException {
        return at(name, urls).post("/v1/backup");
    }
}
