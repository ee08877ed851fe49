package dev.tidemark.deploy.client;

import java.net.URI;

import com.fasterxml.jackson.databind.JsonNode;

import static dev.tidemark.deploy.client.ServiceCalls.encoded;

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

    /**
     * Has a service copy what it keeps, on its own machine.
     *
     * @param name of the copy
     * @return name, path and bytes of the copy
     * @throws UnansweredException with the name, when the service may have made a copy all the same
     */
    default JsonNode backUp(String service, String name, URI... urls) throws ServiceException, InterruptedException {
        try {
            return at(service, urls).post("/v1/backup?name=" + encoded(name));
        } catch (NothingAnswersException e) {
            throw e;
        } catch (UnansweredException e) {
            throw new UnansweredException(e.getMessage() + ". If the " + service + " made a copy " + name
                    + " in backups of its data directory, remove it there: it takes space");
        }
    }
}
