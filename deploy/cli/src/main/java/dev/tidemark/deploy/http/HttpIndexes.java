package dev.tidemark.deploy.http;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.IndexApi;
import dev.tidemark.deploy.client.ServiceException;

/** The indexes at a worker. */
record HttpIndexes(JsonHttp http) implements IndexApi {
    private static final String INDEXES = "/v1/indexes";

    @Override
    public JsonNode list() throws ServiceException, InterruptedException {
        return http.get(INDEXES);
    }

    @Override
    public JsonNode show(String index) throws ServiceException, InterruptedException {
        return http.get(INDEXES + "/" + HttpServices.encode(index));
    }

    @Override
    public JsonNode order(String order, String index) throws ServiceException, InterruptedException {
        return http.post(INDEXES + "/" + HttpServices.encode(index) + "/" + order);
    }
}
