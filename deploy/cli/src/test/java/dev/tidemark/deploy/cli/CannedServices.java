package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.UnansweredException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Services that answer what the test put in, and remember what they were asked. */
public final class CannedServices implements Services {
    final List<String> asked = new ArrayList<>();

    /** The answers that were given, as JSON. */
    final List<String> answers = new ArrayList<>();

    String answer = "{}";
    String failure = "";

    /** Whether answers are lost on their way. */
    boolean lost;

    /** What happens while a service is asked. */
    Runnable meanwhile = () -> {};

    ClientIdentity shown = ClientIdentity.NONE;
    final CannedDefinitions definitions = new CannedDefinitions(asked);

    @Override
    public Services as(ClientIdentity identity) {
        shown = identity;
        return this;
    }

    @Override
    public ServiceCalls at(String name, URI... urls) {
        String service = Stream.of(urls).map(URI::toString).collect(Collectors.joining(","));
        return new ServiceCalls() {
            @Override
            public JsonNode send(String method, String path, Map<String, String> headers, String body)
                    throws ServiceException {
                Optional<JsonNode> known = definitions.answer(method, path, headers, body);
                if (known.isPresent()) {
                    answers.add(known.get().toString());
                    return known.get();
                }
                String sent = body.startsWith("{") ? " " + body : "";
                asked.add(method + " " + service + path + sent);
                meanwhile.run();
                if (lost) {
                    throw new UnansweredException("the " + name + " broke off");
                }
                answers.add(answer);
                return json();
            }

            @Override
            public JsonNode stream(String path, Supplier<InputStream> ndjson) throws ServiceException {
                try (InputStream in = ndjson.get()) {
                    String rows = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    asked.add("POST " + service + path + " " + rows.strip());
                } catch (IOException e) {
                    throw new UnansweredException("the writer broke off: " + e.getMessage());
                }
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
