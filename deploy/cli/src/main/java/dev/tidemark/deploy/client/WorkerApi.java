package dev.tidemark.deploy.client;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

/** The index worker. */
public interface WorkerApi {

    /** Entries of an index, as the service answers. */
    JsonNode query(QueryRequest query) throws ServiceException, InterruptedException;

    /** The lag summary, as the service answers. */
    JsonNode lag() throws ServiceException, InterruptedException;

    /**
     * Why a row is, or is not, in an index, as the service answers.
     *
     * @param key the parts of the row's primary key, each spelled as in a URL
     */
    JsonNode explain(String index, List<String> key) throws ServiceException, InterruptedException;

    /**
     * Returns the receipt of a write, as the service answers.
     *
     * @param token what the write answered
     * @param wait how long the service may wait until it is decided, such as 2s
     */
    JsonNode receipt(String token, String wait) throws ServiceException, InterruptedException;

    /** Stops the indexes of a table from following it. */
    JsonNode pause(String table) throws ServiceException, InterruptedException;

    /** Lets them go on where they stopped. */
    JsonNode resume(String table) throws ServiceException, InterruptedException;

    /**
     * Starts the verification of the indexes of a table; {@link #verification} returns its result.
     *
     * @param index bare name of one index; empty for all
     * @param full whether every row is compared by what it gives, rather than by its version
     * @param repair whether rows that differ are put right
     */
    JsonNode verify(String table, Optional<String> index, boolean full, boolean repair)
            throws ServiceException, InterruptedException;

    /** Returns the state or result of a verification, as the service answers. */
    JsonNode verification(String id) throws ServiceException, InterruptedException;

    /** What would make the indexes better, as the service answers. */
    JsonNode advice() throws ServiceException, InterruptedException;

    /**
     * Starts a forecast of the indexes of a catalog; {@link #plan(String)} returns its result.
     *
     * @param catalog as in a catalog file
     * @param percent the part of the rows to look at, above 0 and at most 100
     */
    JsonNode plan(String catalog, double percent) throws ServiceException, InterruptedException;

    /** Returns the state or result of a forecast, as the service answers. */
    JsonNode plan(String id) throws ServiceException, InterruptedException;
}
