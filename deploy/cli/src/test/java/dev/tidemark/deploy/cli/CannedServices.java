package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.BackupApi;
import dev.tidemark.deploy.client.BulkResult;
import dev.tidemark.deploy.client.CatalogApi;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.FetchedRow;
import dev.tidemark.deploy.client.IndexApi;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Services that answer what the test put in, and remember what they were asked. */
public final class CannedServices implements Services {
    final List<String> asked = new ArrayList<>();
    String answer = "{}";
    String failure = "";
    ClientIdentity shown = ClientIdentity.NONE;
    final CannedDefinitions definitions = new CannedDefinitions(asked);

    @Override
    public Services as(ClientIdentity identity) {
        shown = identity;
        return this;
    }

    @Override
    public CatalogApi catalog(URI writer) {
        return definitions;
    }

    @Override
    public IndexApi indexes(URI worker) {
        return definitions;
    }

    @Override
    public BackupApi backups(String name, URI service) {
        return () -> {
            asked.add(service + " backup");
            return json();
        };
    }

    @Override
    public WriterApi writer(URI url) {
        return new WriterApi() {
            @Override
            public BulkResult load(String table, Supplier<InputStream> ndjson) throws ServiceException {
                try (InputStream in = ndjson.get()) {
                    String rows = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    asked.add(url + " load " + table + " " + rows.strip());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return BulkResult.fromJson(json());
            }

            @Override
            public List<FetchedRow> scan(String table) {
                return List.of();
            }
        };
    }

    @Override
    public WorkerApi worker(URI url) {
        return new WorkerApi() {
            @Override
            public JsonNode query(QueryRequest query) throws ServiceException {
                asked.add(url + " query " + query.index() + " " + query.parameters());
                return json();
            }

            @Override
            public JsonNode lag() throws ServiceException {
                asked.add(url + " lag");
                return json();
            }

            @Override
            public JsonNode explain(String index, List<String> key) throws ServiceException {
                asked.add(url + " explain " + index + " " + key);
                return json();
            }

            @Override
            public JsonNode receipt(String token, String wait) throws ServiceException {
                asked.add(url + " receipt " + token + " " + wait);
                return json();
            }

            @Override
            public JsonNode pause(String table) throws ServiceException {
                asked.add(url + " pause " + table);
                return json();
            }

            @Override
            public JsonNode resume(String table) throws ServiceException {
                asked.add(url + " resume " + table);
                return json();
            }

            @Override
            public JsonNode verify(String table, Optional<String> index, boolean full, boolean repair)
                    throws ServiceException {
                asked.add(url + " verify " + table + " " + index.orElse("all") + (full ? " full" : " quick")
                        + (repair ? " repair" : ""));
                return json();
            }

            @Override
            public JsonNode verification(String id) throws ServiceException {
                asked.add(url + " verification " + id);
                return json();
            }

            @Override
            public JsonNode advice() throws ServiceException {
                asked.add(url + " advice");
                return json();
            }

            @Override
            public JsonNode plan(String catalog, double percent) throws ServiceException {
                asked.add(url + " plan " + percent);
                return json();
            }

            @Override
            public JsonNode plan(String id) throws ServiceException {
                asked.add(url + " plan " + id);
                return json();
            }
        };
    }

    private JsonNode json() throws ServiceException {
        if (!failure.isEmpty()) {
            throw new ServiceException(failure);
        }
        try {
            return RowJson.parse(answer.getBytes(StandardCharsets.UTF_8));
        } catch (BadJsonException e) {
            throw new ServiceException(e.getMessage());
        }
    }
}
