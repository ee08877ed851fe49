package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;

import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.CatalogFile;
import dev.tidemark.settings.KafkaSettings;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.worker.WorkerConfig;
import dev.tidemark.writer.WriterConfig;

/**
 * Reads the settings of one service, and its catalog.
 *
 * @param start refuses what the service would refuse before it listens
 */
record SettingsCheck(String service, ConfigDef definition, StartCheck start, Findings findings) {
    private static final Pattern SECRET = Pattern.compile("(?i)(password|secret|jaas)(?!\\.file)");

    static SettingsCheck ofWriter(StartCheck start, Findings findings) {
        return new SettingsCheck(ServiceSettings.WRITER, WriterConfig.definition(), start, findings);
    }

    static SettingsCheck ofWorker(StartCheck start, Findings findings) {
        return new SettingsCheck(ServiceSettings.WORKER, WorkerConfig.definition(), start, findings);
    }

    /**
     * Reads them; empty where there are none, or the service would refuse them.
     *
     * @param named the file that the user named; otherwise it is where the package has it, and need not be there
     */
    Optional<ServiceSettings> read(Optional<Path> named, Map<String, String> environment) {
        String check = service + " settings";
        Path usual = Path.of("/etc/tidemark", service + ".properties");
        Optional<Path> file = named.or(() -> Optional.of(usual).filter(Files::exists));
        String prefix = "TIDEMARK_" + service.toUpperCase(Locale.ROOT) + "_";
        if (file.isEmpty() && environment.keySet().stream().noneMatch(name -> name.startsWith(prefix))) {
            findings.skipped(check, "there is no " + usual + "; name another with --" + service + "-config");
            return Optional.empty();
        }
        String source = file.map(Path::toString).orElse("the environment");
        try {
            AbstractConfig values = new SettingsReader(service, definition).read(file, environment, List.of());
            // Both refuse what the service itself would refuse in its settings.
            int largestRecord = isWriter() ? WriterConfig.from(values).maxMessageBytes() : 0;
            Optional<String> doubt =
                    isWriter() ? Optional.empty() : WorkerConfig.of(values).doubtfulAddress();
            start.check(values);
            findings.ok(check, source);
            file.ifPresent(path -> judgeSecrets(check, path));
            doubt.ifPresent(why -> findings.warning(
                    check, why, "an address for other workers", "Set advertised.url where there are several."));
            Map<String, Object> kafka = KafkaSettings.of(values, "kafka.bootstrap.servers");
            return Optional.of(new ServiceSettings(service, values, catalog(values), largestRecord, kafka));
        } catch (BadSettingsException e) {
            String advice = "Correct " + source + "; tidemark " + service + " --help lists every setting.";
            findings.failed(check, e.getMessage(), "settings with which the " + service + " starts", advice);
            return Optional.empty();
        }
    }

    private boolean isWriter() {
        return service.equals(ServiceSettings.WRITER);
    }

    private void judgeSecrets(String check, Path file) {
        try (Reader reader = Files.newBufferedReader(file)) {
            // What the environment adds is not in the file.
            Properties own = new Properties();
            own.load(reader);
            boolean secret = own.stringPropertyNames().stream()
                    .anyMatch(key -> SECRET.matcher(key).find());
            if (secret && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                String found = file + " holds a secret, and every user of this machine can read it";
                findings.failed(check, found, "a file for its owner and group", "Run: chmod 640 " + file);
            }
        } catch (IOException | UnsupportedOperationException e) {
            findings.skipped(check, "who may read " + file + " is not known: " + e);
        }
    }

    private Catalog catalog(AbstractConfig values) {
        if (isWriter()) {
            String file = values.getString("catalog.file");
            try {
                Catalog catalog = CatalogFile.read(Path.of(file));
                findings.ok("catalog", file + ": tables " + catalog.tables().size());
                return catalog;
            } catch (CatalogException e) {
                findings.failed("catalog", e.getMessage(), "a catalog", "Correct the file, or catalog.file.");
            }
        }
        return new Catalog(List.of());
    }
}
