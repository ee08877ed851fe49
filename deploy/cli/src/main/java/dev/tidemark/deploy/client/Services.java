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
     */
    ServiceCalls at(String name, URI service);

    default WriterApi writer(URI url) {
        return new WriterApi(at("writer", url));
    }

    default WorkerApi worker(URI url) {
        return new WorkerApi(at("worker", url));
    }

    /** Has a service copy what it keeps, on its own machine; the answer has name, path and bytes of the copy. */
    default JsonNode backUp(String name, URI service) throws ServiceException, InterruptedException {
        return at(name, service).post("/v1/backup");
    }
}
