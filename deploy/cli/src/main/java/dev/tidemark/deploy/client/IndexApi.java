package dev.tidemark.deploy.client;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** The indexes of a worker, and how far their building is. */
public interface IndexApi {

    /** Every index, as the service answers. */
    JsonNode list() throws ServiceException, InterruptedException;

    /**
     * Returns one index with its shards, its forecast and its actual values, as the service answers.
     *
     * @param index its name, or {@code table.index}
     */
    JsonNode show(String index) throws ServiceException, InterruptedException;

    /** The same of all, read. */
    default List<IndexLifecycle> lifecycleStates() throws ServiceException, InterruptedException {
        return IndexLifecycle.listFromJson(list());
    }

    /**
     * Gives an order about an index.
     *
     * @param order pause, resume, cancel or rollback
     * @param index its name, or {@code table.index}
     */
    JsonNode order(String order, String index) throws ServiceException, InterruptedException;
}
