package dev.tidemark.deploy.doctor;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.Services;
import dev.tidemark.deploy.client.UnansweredException;
import dev.tidemark.settings.Durations;

import static dev.tidemark.deploy.doctor.ServiceSettings.WORKER;
import static dev.tidemark.deploy.doctor.ServiceSettings.WRITER;

/** Looks at an installation: settings, machine, disks, PostgreSQL, Kafka and services, in this
 * order. */
public final class Doctor {
    private final Tools tools;
    private final Inquiry inquiry;
    private final Findings findings = new Findings();
    private final Map<String, ServiceSettings> settings = new TreeMap<>();
    private final Map<String, DataPlace> places = new TreeMap<>();
    private final Map<String, KafkaFacts.Cluster> clusters = new TreeMap<>();

    /** What looks. */
    public record Tools(
            Machine machine,
            KafkaLook kafka,
            PostgresLook postgres,
            Services services,
            StartCheck start,
            Clock clock) {}

    /**
     * What to look at.
     *
     * @param configs files by service; where there are none, both services have theirs where the package puts it
     * @param urls of services, where they are not as settings have them
     * @param identity shown to both services; {@link ClientIdentity#NONE} for what the worker shows
     */
    public record Inquiry(
            Map<String, Path> configs,
            Map<String, URI> urls,
            ClientIdentity identity,
            Map<String, String> environment) {
        public Inquiry {
            configs = Map.copyOf(configs);
            urls = Map.copyOf(urls);
            environment = Map.copyOf(environment);
        }
    }

    /**
     * A look at one of several services of a kind.
     *
     * @param state empty where it is judged already
     */
    private record Visit(Optional<ServiceState> state, Findings findings) {
        boolean isReady() {
            return state.filter(ServiceState::isReady).isPresent();
        }
    }

    private Doctor(Tools tools, Inquiry inquiry) {
        this.tools = tools;
        this.inquiry = inquiry;
    }

    /** Everything that was found. */
    public static List<Finding> examine(Tools tools, Inquiry inquiry) throws InterruptedException {
        Doctor doctor = new Doctor(tools, inquiry);
        doctor.settings(SettingsCheck.ofWriter(tools.start(), doctor.findings));
        doctor.settings(SettingsCheck.ofWorker(tools.start(), doctor.findings));
        doctor.machine();
        doctor.facts();
        for (ServiceSettings service : doctor.settings.values()) {
            doctor.kafka(service);
        }
        doctor.topics();
        Optional<ServiceState> writer = doctor.service(WRITER);
        doctor.service(WORKER);
        doctor.deployment(writer);
        return doctor.findings.all();
    }

    private void settings(SettingsCheck check) {
        Map<String, Path> configs = inquiry.configs();
        if (configs.isEmpty() || configs.containsKey(check.service())) {
            check.read(Optional.ofNullable(configs.get(check.service())), inquiry.environment())
                    .ifPresent(read -> settings.put(check.service(), read));
        }
    }

    private void machine() {
        String options = inquiry.environment().getOrDefault("TIDEMARK_JAVA_OPTS", "");
        tools.machine().judge(List.copyOf(settings.values()), options, findings);
        settings.forEach((name, service) -> {
            DataPlace place = DataPlace.at(service.dataDirectory());
            places.put(name, place);
            String user = System.getProperty("user.name").replace("?", "this user");
            place.judge(name + " disk", service.freeBytes(), user, findings);
        });
    }

    private Optional<ServiceSettings> settings(String service) {
        return Optional.ofNullable(settings.get(service));
    }

    private void facts() {
        settings(WRITER)
                .flatMap(ServiceSettings::postgres)
                .ifPresent(asked -> new PostgresRules(asked, findings)
                        .judge(tools.postgres().look(asked)));
    }

    private void kafka(ServiceSettings service) throws InterruptedException {
        int factor = service.isWriter() ? service.values().getInt("topic.replication.factor") : 0;
        Optional<Short> replicas = factor > 0 ? Optional.of((short) factor) : Optional.empty();
        KafkaFacts facts = tools.kafka()
                .look(new KafkaLook.Question(service.kafka(), service.topics(), replicas, service.group()));
        new KafkaRules(service, findings).judge(facts);
        if (facts instanceof KafkaFacts.Cluster cluster) {
            clusters.put(service.service(), cluster);
        }
    }

    /** By what the writer sees, or else the worker. */
    private void topics() {
        Optional<ServiceSettings> writer = settings(WRITER);
        TopicRules rules = new TopicRules(
                writer.map(ServiceSettings::topics).orElse(Map.of()),
                writer.map(ServiceSettings::largestRecord).orElse(0),
                settings(WORKER).map(one -> Durations.of(one.values(), "shard.max.absence")),
                findings);
        Stream.of(WRITER, WORKER)
                .flatMap(name -> Stream.ofNullable(clusters.get(name)))
                .findFirst()
                .ifPresentOrElse(
                        cluster -> rules.judge(cluster.topics()),
                        () -> findings.skipped("topics", "no broker was reached"));
    }

    /** Asks it; of several writers, each. Then one that is ready is enough. */
    private Optional<ServiceState> service(String name) throws InterruptedException {
        Optional<ServiceSettings> own = settings(name);
        List<URI> given = given(name);
        boolean guessed = given.isEmpty()
                && own.filter(ServiceSettings::isNamedByCertificate).isPresent();
        List<URI> urls =
                given.isEmpty() ? own.flatMap(ServiceSettings::url).stream().toList() : given;
        if (urls.isEmpty()) {
            findings.skipped(name, "no setting and no certificate gives its address; name --" + name + " and --ca");
        }
        List<Visit> visits = new ArrayList<>();
        for (URI url : urls) {
            Findings found = new Findings();
            visits.add(new Visit(asked(name, url, guessed, found), found));
        }
        Optional<Visit> ready = visits.stream().filter(Visit::isReady).findFirst();
        for (Visit visit : visits) {
            visit.state()
                    .ifPresent(state -> state.judge(ready.isPresent() || hasToRun(name), asWorker(), visit.findings()));
            if (ready.isEmpty() || visit.isReady()) {
                findings.add(visit.findings());
            } else {
                findings.warn(visit.findings());
            }
        }
        return Stream.concat(ready.stream(), visits.stream())
                .flatMap(visit -> visit.state().stream())
                .findFirst();
    }

    /** The addresses that the user or the worker names. */
    private List<URI> given(String name) {
        if (inquiry.urls().containsKey(name)) {
            return List.of(inquiry.urls().get(name));
        }
        return settings(WORKER)
                .filter(worker -> name.equals(WRITER))
                .map(ServiceSettings::writerUrls)
                .orElse(List.of());
    }

    private boolean asWorker() {
        return settings.containsKey(WORKER) && inquiry.identity().equals(ClientIdentity.NONE);
    }

    /** Empty where it is judged already. */
    private Optional<ServiceState> asked(String name, URI url, boolean guessed, Findings visit)
            throws InterruptedException {
        try {
            Services services = tools.services().as(identity(name, guessed));
            ServiceState state = ServiceState.of(services.at(name, url), name, url, asWorker(), tools.clock());
            if (guessed && !state.there()) {
                guessedWrong(name, url, "nothing answers there", visit);
                return Optional.empty();
            }
            return Optional.of(state);
        } catch (UnansweredException e) {
            if (guessed) {
                guessedWrong(name, url, String.valueOf(e.getMessage()), visit);
            } else {
                String advice = "Look at its log; where TLS failed, correct tls.ca or name --ca.";
                visit.failed(name, url + ": " + e.getMessage(), "a " + name + " that is ready", advice);
            }
        } catch (ServiceException e) {
            visit.failed(name, e.getMessage(), "a token and certificates that can be used", "Correct that file.");
        }
        return Optional.empty();
    }

    /** What the worker shows, unless the user named something. */
    private ClientIdentity identity(String name, boolean guessed) {
        if (!inquiry.identity().equals(ClientIdentity.NONE)) {
            return inquiry.identity();
        }
        String token = name.equals(WRITER) ? "writer.token.file" : "peer.token.file";
        return guessed
                ? Objects.requireNonNull(settings.get(name)).ofItself(token)
                : settings(WORKER).map(worker -> worker.identity(token)).orElse(ClientIdentity.NONE);
    }

    /** A name in a certificate need not be one by which this machine reaches the service. */
    private static void guessedWrong(String name, URI url, String why, Findings visit) {
        visit.skipped(
                name, "its certificate names " + url + ": " + why + "; name --" + name + " and --ca where it runs");
    }

    /** One whose address was given, whose data is in use, or that is on another machine. */
    private boolean hasToRun(String name) {
        DataPlace place = places.get(name);
        return inquiry.urls().containsKey(name)
                || place == null
                || place.holder().isPresent();
    }

    private void deployment(Optional<ServiceState> state) {
        KafkaFacts.Cluster workers = clusters.get(WORKER);
        if (workers != null) {
            state.ifPresent(writer -> writer.judgeTopics(workers.topics(), findings));
            KafkaFacts.Cluster writers = clusters.getOrDefault(WRITER, workers);
            if (!Objects.requireNonNull(writers).id().equals(workers.id())) {
                String advice = "Correct kafka.bootstrap.servers of one of them.";
                findings.failed("deployment", "writer and worker use two Kafka clusters", "one cluster", advice);
            }
        }
        Optional<String> ofWriter = settings(WRITER).map(one -> one.text("consumer.group"));
        Optional<String> ofWorkers = settings(WORKER).map(one -> one.text("group.id"));
        if (ofWriter.isPresent() && ofWorkers.isPresent() && !ofWriter.equals(ofWorkers)) {
            findings.warning(
                    "deployment",
                    "consumer.group of the writer is " + ofWriter.get() + ", and group.id of the worker is "
                            + ofWorkers.get(),
                    "the same name, so that the writer can report how fresh indexes are",
                    "Set consumer.group of the writer to group.id of the workers.");
        }
    }
}
