package dev.tidemark.deploy.client;

import com.fasterxml.jackson.databind.JsonNode;

/** The index worker. */
public interface WorkerApi {

    /** Entries of an index, as the service answers. */
    JsonNode query(IndexQuery query) throws ServiceException, InterruptedException;

    /** The lag summary, as the service answers. */
    JsonNode lag() throws ServiceException, InterruptedException;

    /** Stops the indexes of a table from following it. */
    JsonNode pause(String table) throws ServiceException, InterruptedException;

    /** Lets them go on where they stopped. */
    JsonNode resume(String table) throws ServiceException, InterruptedException;
}
