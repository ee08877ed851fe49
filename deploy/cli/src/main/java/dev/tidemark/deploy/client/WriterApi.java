package dev.tidemark.deploy.client;

import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;

/** The writer service. */
public interface WriterApi {

    /**
     * Sends rows as one streamed bulk request. Rows before a failure may have been committed.
     *
     * @param ndjson opens the rows, one JSON object a line
     */
    BulkResult load(String table, Supplier<InputStream> ndjson) throws ServiceException, InterruptedException;

    /** All rows of a table, in key order, page by page. */
    List<FetchedRow> scan(String table) throws ServiceException, InterruptedException;
}
