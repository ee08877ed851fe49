package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.history.DrillFindings;
import dev.tidemark.deploy.drill.machine.Disk;
import dev.tidemark.deploy.drill.machine.Link;
import dev.tidemark.deploy.drill.machine.MachineException;
import dev.tidemark.deploy.drill.machine.Namespace;
import dev.tidemark.deploy.drill.machine.Tracer;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.stack.BrokerLocation;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.LoopbackPort;
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
    private static final List<Role> WIRES = List.of(Role.values());

    private static final long DISK_BYTES = 192L << 20;
    private static final int OTHER_WORKERS = 4;
    private static final int SMALL_RECORD = 120;
    private static final int SOON_FORGOTTEN_MILLIS = 1_000;

    private final Set<FaultKind> wanted;
    private final Map<Role, Disk> disks = new EnumMap<>(Role.class);
    private final Map<Role, Link> links = new EnumMap<>(Role.class);
    private final Map<FaultKind, String> missing = new EnumMap<>(FaultKind.class);
    private Optional<Namespace> namespace = Optional.empty();
    private final Set<Integer> taken = new HashSet<>();
    private final List<URI> otherWorkers = new ArrayList<>();
    private StackSettings settings;

    private FaultEnvironment(Set<FaultKind> wanted, StackSettings plain, int secondPort) {
        this.wanted = wanted;
        this.settings = plain;
        StackPorts ports = plain.ports();
        taken.addAll(Set.of(ports.broker(), ports.controller(), ports.writer(), ports.worker(), secondPort));
    }

    /** Makes what the wanted faults need; what cannot be had is {@link #missing()}. */
    public static FaultEnvironment of(Set<FaultKind> wanted, StackSettings plain, int secondPort)
            throws IOException, InterruptedException {
        FaultEnvironment made = new FaultEnvironment(wanted, plain, secondPort);
        try {
            made.makeDisks();
            made.makeNamespace();
            made.makeLinks();
            made.lookForTracer();
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

    /** Where the workers answer that come and go in ordeals, known once {@link #ordeals} were made. */
    public List<URI> otherWorkers() {
        return List.copyOf(otherWorkers);
    }

    /** The ordeals that can be done to a stack with these settings. */
    public Map<FaultKind, Fault> ordeals(
            LocalStack stack,
            ProcessSupervisor supervisor,
            RestoreOldCopy.Clients clients,
            TopicTamper tamper,
            List<TableDefinition> tables,
            DrillFindings findings,
            Random random)
            throws IOException {
        Map<FaultKind, Fault> all = new EnumMap<>(FaultKind.class);
        all.put(FaultKind.FILES, new ShardFaults.FileGone(supervisor, random));
        all.put(FaultKind.DISK, new DiskFaults.Full(disks));
        all.put(FaultKind.POWER, new DiskFaults.Cut(disks, supervisor));
        all.put(FaultKind.EIO, new DiskFaults.Failing(supervisor, DiskFaults.Failing.Asked.SYNC));
        all.put(FaultKind.UNREADABLE, new DiskFaults.Failing(supervisor, DiskFaults.Failing.Asked.READ));
        all.put(FaultKind.NET, new BadLink(links, random));
        namespace.ifPresent(made -> all.put(FaultKind.CUTOFF, new AsymmetricPartition(made, WIRES)));
        all.put(FaultKind.STORM, new RebalanceStorm(otherWorkers(stack, FaultKind.STORM), random));
        RebalanceStorm around = new RebalanceStorm(otherWorkers(stack, FaultKind.ZOMBIE), random);
        all.put(FaultKind.ZOMBIE, new ZombieWorker(around, supervisor, random));
        all.put(FaultKind.LARGE, TopicFault.taking(tamper, tables, SMALL_RECORD));
        TopicFault compacting = TopicFault.compacting(tamper, tables);
        all.put(FaultKind.COMPACTION, new ShardFaults.ShardGone(supervisor, random, compacting));
        TopicFault forgetting = TopicFault.forgetting(tamper, tables, SOON_FORGOTTEN_MILLIS);
        all.put(FaultKind.TOMBSTONES, new ShardFaults.LateForDeletes(supervisor, forgetting));
        all.put(
                FaultKind.RETENTION,
                new RetentionLoss(supervisor, new FreshLog(stack.child(Role.WORKER)), tamper, tables));
        all.put(FaultKind.PARTITIONS, new MorePartitions(tamper, tables));
        Path copy = stack.settings().data().resolve(FaultKind.PUT_BACK.option());
        all.put(FaultKind.PUT_BACK, new RestoreOldCopy(supervisor, clients, copy, random));
        all.put(
                FaultKind.CLIENTS,
                new HostileClients(stack.writerUrl(), stack.workerUrl(), supervisor, clients.target(), findings));
        all.keySet().retainAll(wanted);
        all.keySet().removeAll(missing.keySet());
        return all;
    }

    private List<SecondWorker> otherWorkers(LocalStack stack, FaultKind kind) throws IOException {
        List<SecondWorker> others = new ArrayList<>();
        for (int i = 0; wanted.contains(kind) && i < OTHER_WORKERS; i++) {
            int port = anyPort();
            otherWorkers.add(URI.create("http://127.0.0.1:" + port));
            others.add(SecondWorker.beside(stack, kind.option() + i, port));
        }
        return others;
    }

    private void makeDisks() throws IOException, InterruptedException {
        if (!wanted.contains(FaultKind.DISK) && !wanted.contains(FaultKind.POWER)) {
            return;
        }
        try {
            for (Role role : SERVICES) {
                Path directory = settings.data().resolve(role.label());
                disks.put(role, Disk.at(directory, DISK_BYTES));
            }
        } catch (MachineException e) {
            String why = String.valueOf(e.getMessage());
            missing.put(FaultKind.DISK, why);
            missing.put(FaultKind.POWER, why);
        }
    }

    private void lookForTracer() throws InterruptedException {
        try {
            if (wanted.contains(FaultKind.EIO) || wanted.contains(FaultKind.UNREADABLE)) {
                Tracer.require();
            }
        } catch (MachineException e) {
            missing.put(FaultKind.EIO, String.valueOf(e.getMessage()));
            missing.put(FaultKind.UNREADABLE, String.valueOf(e.getMessage()));
        }
    }

    /** Gives the broker a network namespace, with a wire for each role. */
    private void makeNamespace() throws InterruptedException {
        if (!wanted.contains(FaultKind.CUTOFF)) {
            return;
        }
        try {
            Namespace made = Namespace.with(ProcessHandle.current().pid(), WIRES.size());
            namespace = Optional.of(made);
            settings = settings.withBroker(new BrokerLocation(brokerFor(Role.BROKER), made.prefix()));
        } catch (MachineException e) {
            missing.put(FaultKind.CUTOFF, String.valueOf(e.getMessage()));
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

    private int linkTo(Role role, int inside) throws IOException {
        int outside = anyPort();
        links.put(role, Link.between(outside, brokerFor(role), inside));
        return outside;
    }

    private int anyPort() {
        int port = LoopbackPort.anyFree(taken);
        taken.add(port);
        return port;
    }

    @Override
    public void close() {
        links.values().forEach(Link::close);
        namespace.ifPresent(Namespace::close);
        disks.values().forEach(Disk::close);
    }
}
