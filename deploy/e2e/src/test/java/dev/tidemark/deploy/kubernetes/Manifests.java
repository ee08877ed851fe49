package dev.tidemark.deploy.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.user.KafkaUser;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import dev.tidemark.testkit.SourceTree;

/**
 * The manifests, read strictly: a kind or a field that is unknown, a value of a wrong type and a key that is there
 * twice fail.
 */
public final class Manifests {
    static final Path DIRECTORY = SourceTree.ofProject().root().resolve("deploy/kubernetes");

    private static final String STRIMZI = "kafka.strimzi.io/v1 ";
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "v1 Service",
            Service.class,
            "apps/v1 StatefulSet",
            StatefulSet.class,
            "policy/v1 PodDisruptionBudget",
            PodDisruptionBudget.class,
            "networking.k8s.io/v1 NetworkPolicy",
            NetworkPolicy.class,
            "monitoring.coreos.com/v1 ServiceMonitor",
            ServiceMonitor.class,
            STRIMZI + "Kafka",
            Kafka.class,
            STRIMZI + "KafkaNodePool",
            KafkaNodePool.class,
            STRIMZI + "KafkaUser",
            KafkaUser.class);

    private static final ObjectMapper STRICT = strict();

    private Manifests() {}

    /** All of a kind, of all files. */
    public static <T extends HasMetadata> List<T> all(Class<T> kind) {
        return resources().stream()
                .flatMap(file -> parse(text(file)).stream())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** The files that kustomize reads. */
    static List<String> resources() {
        return strings(kustomization().get("resources"));
    }

    static Map<String, Object> kustomization() {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text("kustomization.yaml"));
    }

    static List<String> strings(@Nullable Object list) {
        return ((List<?>) Objects.requireNonNull(list))
                .stream().map(Object::toString).toList();
    }

    static String text(String file) {
        try {
            return Files.readString(DIRECTORY.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> files() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<HasMetadata> parse(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<HasMetadata> found = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
            Map<?, ?> fields = (Map<?, ?>) document;
            String kind = fields.get("apiVersion") + " " + fields.get("kind");
            Class<? extends HasMetadata> model = KINDS.get(kind);
            if (model == null) {
                throw new IllegalArgumentException("expected one of " + KINDS.keySet() + ", but got " + kind);
            }
            found.add(STRICT.convertValue(fields, model));
        }
        return found;
    }

    private static ObjectMapper strict() {
        JsonMapper.Builder builder = JsonMapper.builder()
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .annotationIntrospector(new NoCollectedFields());
        for (CoercionInputShape shape :
                List.of(CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean)) {
            builder.withCoercionConfig(LogicalType.Textual, config -> config.setCoercion(shape, CoercionAction.Fail));
        }
        return builder.build();
    }

    /** The models collect the fields that they do not know; without that, Jackson refuses them. */
    private static final class NoCollectedFields extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated member) {
            return false;
        }
    }
}
