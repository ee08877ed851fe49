import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;

/** Makes the calls of calls.json with the generated Java clients. Usage: Calls CALLS WRITER_URL WORKER_URL. */
public final class Calls {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<String> APIS =
            List.of("RowsApi", "DefinitionsApi", "ServiceApi", "IndexesApi", "SourcesApi");

    private final Map<String, String> urls;
    private final Map<String, JsonNode> saved = new HashMap<>();
    private final StringBuilder event = new StringBuilder();

    private Calls(Map<String, String> urls) {
        this.urls = urls;
    }

    public static void main(String[] args) throws Exception {
        Calls calls = new Calls(Map.of("writer", args[1], "worker", args[2]));
        for (JsonNode step : new ObjectMapper().readTree(Files.readString(Path.of(args[0])).replace("$run", "java"))) {
            calls.make(step);
        }
    }

    private void make(JsonNode step) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                attempt(step);
                return;
            } catch (Exception | AssertionError e) {
                if (!step.path("until").asBoolean() || System.nanoTime() > end) {
                    System.err.println("Java, " + step.path("call").asText() + " " + step.path("with") + ": " + e);
                    System.exit(1);
                }
                Thread.sleep(200);
            }
        }
    }

    private void attempt(JsonNode step) throws Exception {
        String[] call = step.path("call").asText().split("\\.");
        Object client = client(call[0], step.path("stream").asBoolean());
        ObjectMapper mapper = (ObjectMapper) client.getClass().getMethod("getObjectMapper").invoke(client);
        Object api = api(call[0], call[1], client);
        Method method = method(api.getClass(), call[1]);
        Object answer;
        try {
            answer = method.invoke(api, arguments(method, step.path("with"), mapper));
        } catch (InvocationTargetException e) {
            if (step.path("stream").asBoolean()) {
                require(event.indexOf(step.path("has").asText()) >= 0, "has no " + step.path("has"));
                return;
            }
            refused((Exception) e.getCause(), step, mapper, "client." + call[0] + ".model.Problem");
            return;
        }
        require(!step.has("fails"), "was answered, and should fail");
        check(step, answer, mapper);
    }

    /** Every error is a problem, which the client reads as one. */
    private static void refused(Exception failure, JsonNode step, ObjectMapper mapper, String type) throws Exception {
        if (!failure.getClass().getSimpleName().equals("ApiException")) {
            throw failure;
        }
        int code = (int) failure.getClass().getMethod("getCode").invoke(failure);
        if (code != step.path("fails").asInt()) {
            throw failure;
        }
        String body = (String) failure.getClass().getMethod("getResponseBody").invoke(failure);
        Object problem = mapper.copy()
                .disable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .readValue(body, Class.forName(type));
        require(mapper.valueToTree(problem).path("status").asInt() == code, "is no problem: " + body);
    }

    private void check(JsonNode step, Object answer, ObjectMapper mapper) throws IOException {
        String text = answer instanceof File file
                ? Files.readString(file.toPath(), StandardCharsets.ISO_8859_1)
                : String.valueOf(answer);
        require(text.contains(step.path("has").asText()), "has no " + step.path("has"));
        JsonNode value = answer instanceof File ? TextNode.valueOf(text) : mapper.valueToTree(answer);
        step.path("then").properties().forEach(wanted -> {
            JsonNode found = value.at(wanted.getKey());
            JsonNode expected = saved.getOrDefault(wanted.getValue().asText(), wanted.getValue());
            require(found.toString().equals(expected.toString()), wanted.getKey() + " is " + found + ", not " + expected);
        });
        step.path("save").properties().forEach(name -> saved.put(
                "$" + name.getKey(), value.at(name.getValue().asText())));
    }

    /** A client, which closes a body without an end after its first event. */
    private Object client(String service, boolean stream) throws Exception {
        Class<?> type = Class.forName("client." + service + ".ApiClient");
        Object client = type.getConstructor().newInstance();
        type.getMethod("updateBaseUri", String.class).invoke(client, urls.get(service));
        type.getMethod("setReadTimeout", Duration.class).invoke(client, Duration.ofSeconds(30));
        if (stream) {
            Consumer<HttpResponse<InputStream>> reader = this::readEvent;
            type.getMethod("setResponseInterceptor", Consumer.class).invoke(client, reader);
        }
        return client;
    }

    private void readEvent(HttpResponse<InputStream> answer) {
        try (InputStream body = answer.body()) {
            while (event.indexOf("data:") < 0) {
                event.append((char) body.read());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object api(String service, String call, Object client) throws Exception {
        for (String name : APIS) {
            Path file = Path.of("client", service, "api", name + ".class");
            if (Calls.class.getResource("/" + file) != null) {
                Class<?> type = Class.forName("client." + service + ".api." + name);
                if (Arrays.stream(type.getMethods()).anyMatch(method -> method.getName().equals(call))) {
                    return type.getConstructor(client.getClass()).newInstance(client);
                }
            }
        }
        throw new IllegalArgumentException("no client has " + call);
    }

    /** The overload without headers. */
    private static Method method(Class<?> api, String name) {
        return Arrays.stream(api.getMethods())
                .filter(method -> method.getName().equals(name))
                .filter(method -> Arrays.stream(method.getParameters())
                        .noneMatch(parameter -> parameter.getName().equals("headers")))
                .findAny()
                .orElseThrow();
    }

    private Object[] arguments(Method method, JsonNode given, ObjectMapper mapper) {
        Map<String, JsonNode> left = new HashMap<>();
        given.properties().forEach(argument -> left.put(camel(argument.getKey()), argument.getValue()));
        List<Object> arguments = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            String name = parameter.getName().endsWith("Request") ? "body" : parameter.getName();
            JsonNode value = left.remove(name);
            arguments.add(value == null
                    ? null
                    : mapper.convertValue(
                            saved.getOrDefault(value.asText(), value),
                            mapper.constructType(parameter.getParameterizedType())));
        }
        require(left.isEmpty(), "has no parameters " + left.keySet());
        return arguments.toArray();
    }

    private static String camel(String name) {
        return Pattern.compile("[-_]([A-Za-z])")
                .matcher(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1))
                .replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
