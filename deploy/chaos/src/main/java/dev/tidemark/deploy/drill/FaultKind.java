package dev.tidemark.deploy.drill;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import dev.tidemark.deploy.stack.Role;

/** The faults that can be asked for by name. */
public enum FaultKind {
    /** Any of the three is killed at any time. */
    KILL("kill -9 at random times", false, Role.BROKER, Role.WORKER),
    /** Writer and worker are killed at named points. */
    POINTS("kill -9 at named points", false, Role.WORKER, Role.WORKER),
    /** Any of the three is stopped for up to three seconds, and goes on. */
    PAUSE("SIGSTOP and SIGCONT", false, Role.BROKER, Role.WORKER),
    /** The broker is away for seconds. */
    BROKER("broker away", false, Role.BROKER, Role.BROKER),
    /** A second worker comes, takes over a part, and is killed. */
    REBALANCE("second worker comes and is killed", false, Role.WORKER, Role.WORKER),
    /** The clock of one service is an hour off from its next start on. */
    CLOCK("clock an hour off", false, Role.WRITER, Role.WORKER),
    /** A record that cannot be read is in a topic. */
    POISON("poison event", false, Role.WORKER, Role.WORKER),
    /** The newest records of a topic are published once more. */
    REPEAT("publication repeated", false, Role.WORKER, Role.WORKER),
    /** Records that only pretend to be the writer's are in the topics. */
    FORGED("forged records", false, Role.WORKER, Role.WORKER),
    /** The worker is killed, and the end of a shard's log or table file is torn off or a byte in it is flipped. */
    DAMAGE("torn or flipped file of a shard", false, Role.WORKER, Role.WORKER),
    /** A change topic is deleted. */
    TOPIC("change topic deleted", false, Role.WORKER, Role.WORKER),
    /** The worker is killed, and a log or table file of one of its shards goes. */
    FILES("file of a shard missing", false, Role.WORKER, Role.WORKER),
    /** The disk of a service has no room for seconds. */
    DISK("full disk", true, Role.WRITER, Role.WORKER),
    /** The connection of a service to the broker is slow, silent or broken for seconds. */
    NET("link to the broker slow or cut", true, Role.WRITER, Role.WORKER),
    /** For seconds, nothing that the broker sends to one service arrives. */
    CUTOFF("service cut off from the broker", true, Role.WRITER, Role.WORKER),
    /** Four more workers come and are killed, again and again. */
    STORM("rebalance storm of five workers", true, Role.WORKER, Role.WORKER),
    /** The same, while the first worker is stopped until others have its shards, and goes on. */
    ZOMBIE("worker stopped for longer than its lease, in a storm", true, Role.WORKER, Role.WORKER),
    /** For seconds, a topic takes smaller records than there are. */
    LARGE("records larger than the broker takes", true, Role.WORKER, Role.WORKER),
    /** The worker is killed, a shard is gone and is built again, while its topic is compacted every moment. */
    COMPACTION("compaction while a shard is built", true, Role.WORKER, Role.WORKER),
    /** The worker is away for longer than marks of deletes are kept. */
    TOMBSTONES("marks of deletes gone too soon", true, Role.WORKER, Role.WORKER),
    /** The worker is away while its topics lose records that it has not read. */
    RETENTION("records gone before the worker read them", true, Role.WORKER, Role.WORKER),
    /** A topic gets another partition. */
    PARTITIONS("number of partitions raised", false, Role.WORKER, Role.WORKER),
    /** What a service syncs fails for seconds. */
    EIO("fsync fails", true, Role.WRITER, Role.WORKER),
    /** What a service reads of its tables fails for seconds. */
    UNREADABLE("reads of the disk fail", true, Role.WRITER, Role.WORKER),
    /** The machine of a service loses its power: what was not synced is gone. */
    POWER("power cut", false, Role.WRITER, Role.WORKER),
    /** All of the writer's data, or of its PostgreSQL, goes back to a copy made seconds before. */
    PUT_BACK("facts put back to a copy", false, Role.WRITER, Role.WRITER),
    /** Both services are flooded by clients that mean harm. */
    CLIENTS("hostile clients", true, Role.WORKER, Role.WORKER),
    /** One of several workers is killed, stands still, or cannot be reached by others. */
    PEER("another worker killed, without its disk, stopped or cut off", true, Role.WORKER, Role.WORKER),
    /** PostgreSQL, or one of its processes, is killed. */
    POSTGRES("PostgreSQL killed", false, Role.POSTGRESQL, Role.POSTGRESQL),
    /** The connections of the writers to PostgreSQL are slow, silent, broken or torn at requests for seconds. */
    FACTS_NET("link to PostgreSQL slow, cut or torn", true, Role.POSTGRESQL, Role.POSTGRESQL),
    /** The disk of PostgreSQL has no room for seconds. */
    FACTS_DISK("full disk of PostgreSQL", true, Role.POSTGRESQL, Role.POSTGRESQL);

    /** Those that need fact tables in PostgreSQL. */
    public static final Set<FaultKind> OF_POSTGRESQL = Set.of(POSTGRES, FACTS_NET, FACTS_DISK);

    /** Those that are about a writer's own tables. */
    public static final Set<FaultKind> OF_ROCKSDB = Set.of(UNREADABLE);

    private final String label;
    private final boolean isLong;
    private final Role first;
    private final Role last;

    FaultKind(String label, boolean isLong, Role first, Role last) {
        this.label = label;
        this.isLong = isLong;
        this.first = first;
        this.last = last;
    }

    public String label() {
        return label;
    }

    /** Whether it shows its worst only after seconds. */
    boolean isLong() {
        return isLong;
    }

    /** A process that it may hit; the worker where that does not matter. */
    Role victim(Random random) {
        List<Role> victims = EnumSet.range(first, last).stream()
                .filter(role -> role != Role.POSTGRESQL || first == last)
                .toList();
        return victims.get(random.nextInt(victims.size()));
    }

    /** The name in options. */
    public String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind of that name. */
    public static Optional<FaultKind> of(String option) {
        return Arrays.stream(values())
                .filter(kind -> kind.option().equals(option))
                .findFirst();
    }

    /** All names. */
    public static List<String> options() {
        return Arrays.stream(values()).map(FaultKind::option).toList();
    }
}
