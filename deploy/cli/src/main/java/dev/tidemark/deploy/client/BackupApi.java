package dev.tidemark.deploy.client;

import com.fasterxml.jackson.databind.JsonNode;

/** Copies of what a service keeps. */
public interface BackupApi {
    /** Has one made on the service's machine; its name, path and bytes, as the service answers. */
    JsonNode make() throws ServiceException, InterruptedException;
}
