package dev.tidemark.deploy.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.BadDefinitionsException;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.deploy.client.CatalogApi;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.row.RowJson;

/** The definitions at a writer. */
record HttpCatalog(JsonHttp http) implements CatalogApi {
    private static final String CATALOG = "/v1/catalog";

    @Override
    public Definitions inForce() throws ServiceException, InterruptedException {
        try {
            return DefinitionsJson.read(RowJson.write(http.get(CATALOG)));
        } catch (BadDefinitionsException e) {
            throw new ServiceException("the writer gave no usable definitions: " + e.getMessage());
        }
    }

    @Override
    public JsonNode put(String catalog, long version) throws ServiceException, InterruptedException {
        return http.change("PUT", CATALOG, "application/yaml", catalog, version);
    }

    @Override
    public JsonNode order(String order, String table, String index, long version)
            throws ServiceException, InterruptedException {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("order", order).put("table", table).put("index", index);
        return http.change("POST", CATALOG + "/orders", "application/json", json.toString(), version);
    }
}
