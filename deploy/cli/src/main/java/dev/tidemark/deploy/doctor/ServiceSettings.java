package dev.tidemark.deploy.doctor;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.apache.kafka.common.config.AbstractConfig;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.DefinitionsTopic;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.stack.FactsPlace;

/**
 * Settings that their service accepts.
 *
 * @param service {@link #WRITER} or {@link #WORKER}
 * @param catalog that of the writer; without tables for a worker, and where it cannot be read
 * @param largestRecord most bytes that a writer publishes at once; 0 for a worker
 * @param kafka settings of the Kafka clients, without the prefix
 */
record ServiceSettings(
        String service, AbstractConfig values, Catalog catalog, int largestRecord, Map<String, Object> kafka) {
    static final String WRITER = "writer";
    static final String WORKER = "worker";

    /** Topic of the claims to lead a deployment. */
    private static final String CLAIMS = "tidemark.writers";

    /** Beside fact tables in PostgreSQL, a writer keeps a few numbers and texts. */
    private static final long SMALL_FILES = 8L << 20;

    private static final long SHARDS = 1L << 30;

    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "[::]");

    boolean isWriter() {
        return service.equals(WRITER);
    }

    String text(String key) {
        return values.getString(key);
    }

    /** Where a worker finds its writers. */
    List<URI> writerUrls() {
        return values.getList("writer.url").stream().map(URI::create).toList();
    }

    String servers() {
        return text("kafka.bootstrap.servers");
    }

    Path dataDirectory() {
        return Path.of(text("data.dir")).toAbsolutePath();
    }

    /** The consumer group of a worker; for a writer, that of the first replica group. */
    String group() {
        return isWriter() ? text("consumer.group") + ".a" : text("group.id") + "." + text("replica.group");
    }

    /** Whether clients know the address of the service only by a name in its certificate. */
    boolean isNamedByCertificate() {
        return file("tls.certificate").isPresent()
                && (isWriter() || text("advertised.url").isEmpty());
    }

    /** Where this machine reaches the service; empty where its certificate has no name for that. */
    Optional<URI> url() {
        if (!isWriter() && !text("advertised.url").isEmpty()) {
            return Optional.of(URI.create(text("advertised.url")));
        }
        String host = WILDCARDS.contains(text("http.host")) ? "127.0.0.1" : text("http.host");
        Optional<String> name = file("tls.certificate")
                .map(file -> CertificateNames.of(file).reaching(host))
                .orElse(Optional.of(host));
        String scheme = isNamedByCertificate() ? "https://" : "http://";
        return name.map(one -> one.contains(":") && !one.startsWith("[") ? "[" + one + "]" : one)
                .map(one -> URI.create(scheme + one + ":" + values.getInt("http.port")));
    }

    /** What RocksDB takes beside the heap, in bytes. */
    long rocksBytes() {
        return values.getLong(isWriter() ? "rocks.cache.bytes" : "rocksdb.cache.bytes");
    }

    /** The free bytes that it may need soon: for what waits while Kafka is away, or for shards. */
    long freeBytes() {
        if (postgres().isPresent()) {
            return SMALL_FILES;
        }
        return isWriter() ? values.getLong("outbox.max.pending.bytes") : SHARDS;
    }

    /** The PostgreSQL of the fact tables, where a writer has them there. */
    Optional<PostgresLook.Question> postgres() {
        return Optional.ofNullable(values.values().get("facts.url"))
                .map(Object::toString)
                .filter(url -> url.startsWith(FactsPlace.JDBC))
                .map(url -> new PostgresLook.Question(url, text("facts.user"), file("facts.password.file")));
    }

    /** The topics that a writer needs, with their partitions; none for a worker. */
    Map<String, Integer> topics() {
        Map<String, Integer> topics = new TreeMap<>();
        if (isWriter()) {
            topics.put(DefinitionsTopic.NAME, 1);
            topics.put(CLAIMS, 1);
            catalog.tables().forEach(table -> topics.put(ChangeTopic.nameFor(table.name()), table.partitions()));
        }
        return topics;
    }

    /** What a worker shows to another service. */
    ClientIdentity identity(String tokenKey) {
        return new ClientIdentity(file(tokenKey), file("tls.ca"), file("tls.certificate"), file("tls.key"));
    }

    /** Shows the same to the service itself, and trusts its certificate alone. */
    ClientIdentity ofItself(String tokenKey) {
        return new ClientIdentity(file(tokenKey), file("tls.certificate"), file("tls.certificate"), file("tls.key"));
    }

    private Optional<Path> file(String key) {
        return Optional.ofNullable(values.values().get(key))
                .map(Object::toString)
                .filter(text -> !text.isBlank())
                .map(Path::of);
    }
}
