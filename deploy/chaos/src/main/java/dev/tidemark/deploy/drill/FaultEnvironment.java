package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;

import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.Link;
import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.deploy.drill.machine.Namespace;
import dev.tidemark.deploy.drill.machine.Tracer;
import dev.tidemark.deploy.stack.BrokerLocation;
import dev.tidemark.deploy.stack.FactsPlace;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.LoopbackPort;
import dev.tidemark.deploy.stack.ReadinessProbe;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.deploy.stack.StackPorts;
import dev.tidemark.deploy.stack.StackSettings;

/**
 * Provides what a stack needs around it before it starts, so that faults can be injected there: disks and links, as far
 * as the wanted faults need them. Closed after the stack.
 */
public final class FaultEnvironment implements AutoCloseable {
    private static final List<Role> SERVICES = List.of(Role.WRITER, Role.WORKER);
    /**
     * The roles that the wires of the broker lead to: one for each service, and the broker's own wire for all others.
     */
    private static final List<Role> WIRES = List.of(Role.BROKER, Role.WRITER, Role.WORKER);

    /** Each open shard keeps some megabytes for its log, and a table that grows has many shards. */
    private static final long DISK_BYTES = 512L << 20;

    private static final int OTHER_WORKERS = 4;
    private static final int REPEATED = 200;

    /** Requests that reach PostgreSQL, and those that do not, look alike to a writer whose connection is torn. */
    private static final List<Link.Mood> BAD_FOR_POSTGRESQL =
            List.of(Link.Mood.TORN, Link.Mood.CUT, Link.Mood.TORN, Link.Mood.BROKEN, Link.Mood.SLOW);

    private final Set<FaultKind> wanted;
    private final Map<Role, Disk> disks = new EnumMap<>(Role.class);
    private final Map<Role, Link> links = new EnumMap<>(Role.class);
    private final Map<FaultKind, String> missing = new EnumMap<>(FaultKind.class);
    private Optional<Namespace> namespace = Optional.empty();
    private final Set<Integer> taken = new HashSet<>();
    private final List<SecondWorker> otherWorkers = new ArrayList<>();
    private StackSettings settings;

    /** Something that only some machines allow. */
    private interface Attempt {
        void make() throws MachineException, IOException, InterruptedException;
    }

    private FaultEnvironment(Set<FaultKind> wanted, StackSettings plain) {
        this.wanted = wanted;
        this.settings = plain;
        StackPorts ports = plain.ports();
        taken.addAll(Set.of(ports.broker(), ports.controller(), ports.worker()));
        taken.addAll(ports.writers());
        if (plain.facts().isShared()) {
            taken.add(plain.facts().port());
        }
    }

    /** Makes what the wanted faults need; what cannot be had is {@link #missing()}. */
    public static FaultEnvironment of(Set<FaultKind> wanted, StackSettings plain)
            throws IOException, InterruptedException {
        FaultEnvironment made = new FaultEnvironment(wanted, plain);
        try {
            made.attempt(EnumSet.of(FaultKind.DISK, FaultKind.POWER), made::makeDisks);
            made.attempt(EnumSet.of(FaultKind.CUTOFF), made::makeNamespace);
            made.attempt(EnumSet.of(FaultKind.FACTS_DISK), made::makeDiskOfPostgresql);
            made.makeLinks();
            made.makeLinkToPostgresql();
            made.attempt(EnumSet.of(FaultKind.EIO, FaultKind.UNREADABLE), Tracer::require);
            if (wanted.contains(FaultKind.COMPACTION) || wanted.contains(FaultKind.TOMBSTONES)) {
                made.settings = made.settings.with(Role.BROKER, "log.cleaner.backoff.ms", "200");
            }
            return made;
        } catch (IOException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** The settings of a stack in these surroundings. */
    public StackSettings settings() {
        return settings;
    }

    /** Why faults that were wanted cannot be done. */
    public Map<FaultKind, String> missing() {
        return Map.copyOf(missing);
    }

    /** Where the workers answer that come and go, known once the {@link #faults} were made. */
    public List<URI> otherWorkers() {
        return otherWorkers.stream().map(SecondWorker::url).toList();
    }

    /** The faults that can be done to a stack with these settings. */
    public Map<FaultKind, Fault> faults(FaultContext context) throws IOException {
        ProcessSupervisor supervisor = context.supervisor();
        Random random = context.random();
        ShardFaults shards = new ShardFaults(supervisor, random);
        TopicTamper tamper = context.tamper();
        ShardFaults.TopicFaults topics = new ShardFaults.TopicFaults(tamper, DrillTables.TABLES);
        Map<FaultKind, Fault> all = new EnumMap<>(FaultKind.class);
        all.put(FaultKind.FILES, (role, now) -> shards.loseFile());
        all.put(
                FaultKind.DISK,
                Fault.between(role -> disk(role).fill(), () -> disks.values().forEach(Disk::free)));
        all.put(FaultKind.POWER, (role, now) -> cutPower(role, supervisor));
        all.put(FaultKind.EIO, new FailingDisk(supervisor, false));
        all.put(FaultKind.UNREADABLE, new FailingDisk(supervisor, true));
        all.put(FaultKind.NET, Fault.between(role -> worsen(role, Link.Mood.BAD, random), this::mendLinks));
        namespace.ifPresent(made ->
                all.put(FaultKind.CUTOFF, Fault.between(role -> made.cut(WIRES.indexOf(role)), made::mend)));
        all.put(FaultKind.REBALANCE, storm(context, FaultKind.REBALANCE, 1));
        all.put(FaultKind.STORM, storm(context, FaultKind.STORM, OTHER_WORKERS));
        SecondWorker.RebalanceStorm around = storm(context, FaultKind.ZOMBIE, OTHER_WORKERS);
        all.put(FaultKind.ZOMBIE, new SecondWorker.RebalanceStorm.ZombieWorker(around, supervisor, random));
        all.put(FaultKind.DAMAGE, (role, now) -> shards.damage(context.books().log()));
        all.put(FaultKind.REPEAT, Fault.once(() -> tamper.repeat(DrillTables.TAMPERED, REPEATED)));
        all.put(FaultKind.TOPIC, Fault.once(() -> tamper.delete(DrillTables.TAMPERED)));
        all.put(FaultKind.LARGE, topics.configured(ShardFaults.TopicFaults.SMALL));
        all.put(FaultKind.COMPACTION, shards.shardGone(topics.configured(ShardFaults.TopicFaults.COMPACTED)));
        all.put(FaultKind.TOMBSTONES, shards.lateForDeletes(topics.configured(ShardFaults.TopicFaults.FORGETFUL)));
        all.put(FaultKind.RETENTION, new ShardFaults.RetentionLoss(context));
        all.put(FaultKind.PARTITIONS, topics.morePartitions());
        all.put(FaultKind.PUT_BACK, new RestoreOldCopy(context));
        all.put(FaultKind.CLIENTS, new HostileClients(context));
        all.put(FaultKind.PEER, context.others().fault(random));
        all.put(FaultKind.POSTGRES, new KilledPostgres(context.stack(), supervisor, random));
        all.put(FaultKind.FACTS_NET, Fault.between(role -> worsen(role, BAD_FOR_POSTGRESQL, random), this::mendLinks));
        all.put(FaultKind.FACTS_DISK, fullDiskOfPostgresql(supervisor));
        all.keySet().retainAll(wanted);
        all.keySet().removeAll(missing.keySet());
        return all;
    }

    /** The workers beside that of a stack, which do not run yet. */
    GroupWorkers groupWorkers(
            LocalStack stack, DrillPlan.Groups groups, ReadinessProbe readiness, DrillFindings findings)
            throws IOException {
        List<GroupWorkers.GroupWorker> workers = new ArrayList<>();
        for (int number = 1; number < groups.all(); number++) {
            int port = anyPort();
            int outside = anyPort();
            Link link = new Link(outside, "127.0.0.1", port);
            List<String> own = List.of(
                    "replica.group=" + groups.nameOf(number),
                    "advertised.url=http://127.0.0.1:" + outside,
                    "copy.min.records=1");
            workers.add(new GroupWorkers.GroupWorker(
                    SecondWorker.beside(stack, "worker-" + (number + 1), port, own),
                    link,
                    number % groups.workers() == 0));
        }
        return new GroupWorkers(workers, readiness, findings);
    }

    /** A PostgreSQL without room ends, and ends again when it is started, until there is room. */
    private Fault fullDiskOfPostgresql(ProcessSupervisor supervisor) {
        return new Fault() {
            @Override
            public boolean begin(Role role, Instant now) {
                supervisor.mayBeAway(KilledPostgres.SERVER);
                disk(role).fill();
                return true;
            }

            @Override
            public void tick(Instant now) {
                supervisor.mayBeAway(KilledPostgres.SERVER);
            }

            @Override
            public boolean end(Instant now) {
                disk(Role.POSTGRESQL).free();
                return true;
            }
        };
    }

    private Disk disk(Role role) {
        return Objects.requireNonNull(disks.get(role));
    }

    /** What was not synced is gone. */
    private boolean cutPower(Role role, ProcessSupervisor supervisor) throws InterruptedException {
        // A machine without power answers no request: a sync that the cut ends early may look as if it had worked.
        if (!supervisor.stop(role, Instant.MAX)) {
            return false;
        }
        try {
            disk(role).cut();
            supervisor.kill(role, Instant.MIN);
            disk(role).comeBack();
            return true;
        } catch (MachineException e) {
            throw new IllegalStateException("Expected a disk that can be cut off, but " + e.getMessage(), e);
        }
    }

    /** The link of one service is slow, silent or broken; the other one's is fine. */
    private void worsen(Role role, List<Link.Mood> bad, Random random) {
        Objects.requireNonNull(links.get(role)).become(bad.get(random.nextInt(bad.size())));
    }

    private void mendLinks() {
        links.values().forEach(link -> link.become(Link.Mood.FINE));
    }

    private SecondWorker.RebalanceStorm storm(FaultContext context, FaultKind kind, int workers) throws IOException {
        List<SecondWorker> others = new ArrayList<>();
        for (int i = 0; wanted.contains(kind) && i < workers; i++) {
            others.add(SecondWorker.beside(context.stack(), kind.option() + i, anyPort(), List.of()));
        }
        otherWorkers.addAll(others);
        return new SecondWorker.RebalanceStorm(others, context.random());
    }

    private void makeDisks() throws MachineException, IOException, InterruptedException {
        for (Role role : SERVICES) {
            disks.put(role, Disk.at(settings.data().resolve(role.label()), DISK_BYTES));
        }
    }

    /** Little of it is for the log, which would fill the disk by itself. */
    private void makeDiskOfPostgresql() throws MachineException, IOException, InterruptedException {
        disks.put(Role.POSTGRESQL, Disk.at(settings.directory(Role.POSTGRESQL), DISK_BYTES));
        settings = settings.with(Role.POSTGRESQL, "max_wal_size", "64MB").with(Role.POSTGRESQL, "min_wal_size", "32MB");
    }

    /** Gives the broker a network namespace, with a wire for each role. */
    private void makeNamespace() throws MachineException, InterruptedException {
        Namespace made = Namespace.with(ProcessHandle.current().pid(), WIRES.size());
        namespace = Optional.of(made);
        settings = settings.withBroker(new BrokerLocation(brokerFor(Role.BROKER), made.prefix()));
    }

    /** Makes something that only some machines allow, where one of these faults is wanted. */
    private void attempt(Set<FaultKind> kinds, Attempt attempt) throws IOException, InterruptedException {
        try {
            if (!Collections.disjoint(kinds, wanted)) {
                attempt.make();
            }
        } catch (MachineException e) {
            kinds.forEach(kind -> missing.put(kind, String.valueOf(e.getMessage())));
        }
    }

    /** The broker's address for a service; for everybody else, the one for its own role. */
    private String brokerFor(Role role) {
        return namespace.map(made -> made.address(WIRES.indexOf(role))).orElse("127.0.0.1");
    }

    /**
     * Each service has a listener of the broker for itself, which it knows by the address of its link or wire alone.
     */
    private void makeLinks() throws IOException {
        if (!wanted.contains(FaultKind.NET) && namespace.isEmpty()) {
            return;
        }
        StackPorts ports = settings.ports();
        String own = "CLIENTS://" + brokerFor(Role.BROKER) + ":" + ports.broker();
        StringBuilder listeners = new StringBuilder(own + ",CONTROLLER://127.0.0.1:" + ports.controller());
        StringBuilder advertised = new StringBuilder(own);
        StringBuilder protocols = new StringBuilder("CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        for (Role role : SERVICES) {
            int inside = anyPort();
            String listener = brokerFor(role) + ":" + inside;
            String known = wanted.contains(FaultKind.NET) ? "127.0.0.1:" + linkTo(role, inside) : listener;
            listeners.append(',').append(role.name()).append("://").append(listener);
            advertised.append(',').append(role.name()).append("://").append(known);
            protocols.append(',').append(role.name()).append(":PLAINTEXT");
            settings = settings.with(role, "kafka.bootstrap.servers", known);
        }
        settings = settings.with(Role.BROKER, "listeners", listeners.toString())
                .with(Role.BROKER, "advertised.listeners", advertised.toString())
                .with(Role.BROKER, "listener.security.protocol.map", protocols.toString());
    }

    private void makeLinkToPostgresql() throws IOException {
        if (wanted.contains(FaultKind.FACTS_NET)) {
            FactsPlace facts = settings.facts();
            int outside = anyPort();
            links.put(Role.POSTGRESQL, new Link(outside, "127.0.0.1", facts.port()));
            String known = facts.url().replace(":" + facts.port() + "/", ":" + outside + "/");
            settings = settings.with(Role.WRITER, "facts.url", known);
        }
    }

    private int linkTo(Role role, int inside) throws IOException {
        int outside = anyPort();
        links.put(role, new Link(outside, brokerFor(role), inside));
        return outside;
    }

    private int anyPort() {
        int port = LoopbackPort.anyFree(taken);
        taken.add(port);
        return port;
    }

    @Override
    public void close() {
        otherWorkers.forEach(SecondWorker::close);
        links.values().forEach(Link::close);
        namespace.ifPresent(Namespace::close);
        disks.values().forEach(Disk::close);
    }

    /**
     * What faults work with.
     *
     * @param books the writes of the clients and the answers to them
     * @param gate that the clients pass for each write
     * @param lost called with the time span whose acknowledged writes are all lost
     */
    public record FaultContext(
            LocalStack stack,
            ProcessSupervisor supervisor,
            GroupWorkers others,
            HistoryRecorder books,
            Workload.ClientGate gate,
            DrillTarget target,
            TopicTamper tamper,
            BiConsumer<Instant, Instant> lost,
            Random random) {}
}
