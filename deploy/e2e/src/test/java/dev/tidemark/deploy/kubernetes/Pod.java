package dev.tidemark.deploy.kubernetes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.worker.WorkerConfig;
import dev.tidemark.writer.WriterConfig;

/** The first pod of a stateful set, as Kubernetes starts it. */
record Pod(StatefulSet set) {
    private static final String SETTINGS = "/etc/tidemark/settings/";

    String name() {
        return set.getMetadata().getName() + "-0";
    }

    PodSpec spec() {
        return set.getSpec().getTemplate().getSpec();
    }

    Container container() {
        return spec().getContainers().get(0);
    }

    /** Writer or worker. */
    String service() {
        return container().getArgs().get(0);
    }

    ConfigDef definition() {
        return "writer".equals(service()) ? WriterConfig.definition() : WorkerConfig.definition();
    }

    /** What the service reads at its start. */
    AbstractConfig settings() throws BadSettingsException {
        List<String> arguments = container().getArgs();
        String file = arguments.get(arguments.indexOf("--config") + 1);
        Path read = Manifests.DIRECTORY.resolve(file.substring(SETTINGS.length()));
        return new SettingsReader(service(), definition()).read(Optional.of(read), environment(), List.of());
    }

    /** Values of secrets are not known; any other is as in the namespace that kustomize sets. */
    Map<String, String> environment() {
        Map<String, String> known = new TreeMap<>();
        for (EnvVar variable : container().getEnv()) {
            String value = variable.getValue() == null ? given(variable) : variable.getValue();
            for (Map.Entry<String, String> before : known.entrySet()) {
                value = value.replace("$(" + before.getKey() + ")", before.getValue());
            }
            known.put(variable.getName(), value);
        }
        return known;
    }

    private String given(EnvVar variable) {
        if (variable.getValueFrom().getFieldRef() == null) {
            return "secret";
        }
        String field = variable.getValueFrom().getFieldRef().getFieldPath();
        return switch (field) {
            case "metadata.name" -> name();
            case "metadata.namespace" ->
                String.valueOf(Manifests.kustomization().get("namespace"));
            default -> throw new IllegalArgumentException("expected a field that is known here, but got " + field);
        };
    }

    /** The name of the mounted volume that a path is on; empty for the read-only root file system. */
    Optional<String> volume(String path) {
        return container().getVolumeMounts().stream()
                .filter(mount -> path.startsWith(mount.getMountPath() + "/"))
                .map(mount -> mount.getName())
                .findFirst();
    }

    /** The volume of the pod with that name; empty where it is a claim. */
    Optional<Volume> defined(String name) {
        return spec().getVolumes().stream()
                .filter(volume -> volume.getName().equals(name))
                .findFirst();
    }
}
