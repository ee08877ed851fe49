package dev.tidemark.deploy.client;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.Definitions;

/** The definitions that the writer keeps. */
public interface CatalogApi {

    /** Those in force. */
    Definitions inForce() throws ServiceException, InterruptedException;

    /**
     * Brings a catalog in force.
     *
     * @param catalog text of a catalog file
     * @param version that the change was made from; refused when another one is in force
     * @return the new version and what was changed, as the service answers
     */
    JsonNode put(String catalog, long version) throws ServiceException, InterruptedException;

    /**
     * Has an order carried out; otherwise as {@link #put(String, long)}.
     *
     * @param order such as retire
     */
    JsonNode order(String order, String table, String index, long version)
            throws ServiceException, InterruptedException;
}
