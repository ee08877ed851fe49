package dev.tidemark.deploy.drill.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The faults that can be asked for by name. */
public enum FaultKind {
    /** Any of the three is killed at any time. */
    KILL("kill -9 at random times"),
    /** Writer and worker are killed at named points. */
    POINTS("kill -9 at named points"),
    /** Any of the three is stopped for up to three seconds, and goes on. */
    PAUSE("SIGSTOP and SIGCONT"),
    /** The broker is away for seconds. */
    BROKER("broker away"),
    /** A second worker comes, takes over a part, and is killed. */
    REBALANCE("second worker comes and is killed"),
    /** The clock of one service is an hour off from its next start on. */
    CLOCK("clock an hour off"),
    /** A record that cannot be read is in a topic. */
    POISON("poison event"),
    /** The newest records of a topic are published once more. */
    REPEAT("publication repeated"),
    /** Records that only pretend to be the writer's are in the topics. */
    FORGED("forged records"),
    /** The worker is killed, and the end of a shard's log or table file is torn off or a byte in it is flipped. */
    DAMAGE("torn or flipped file of a shard"),
    /** A change topic is deleted. */
    TOPIC("change topic deleted"),
    /** The worker is killed, and a log or table file of one of its shards goes. */
    FILES("file of a shard missing"),
    /** The disk of a service has no room for seconds. */
    DISK("full disk"),
    /** The connection of a service to the broker is slow, silent or broken for seconds. */
    NET("link to the broker slow or cut"),
    /** For seconds, nothing that the broker sends to one service arrives. */
    CUTOFF("service cut off from the broker"),
    /** Four more workers come and are killed, again and again. */
    STORM("rebalance storm of five workers"),
    /** The same, while the first worker is stopped until others have its shards, and goes on. */
    ZOMBIE("worker stopped for longer than its lease, in a storm"),
    /** For seconds, a topic takes smaller records than there are. */
    LARGE("records larger than the broker takes"),
    /** The worker is killed, a shard is gone and is built again, while its topic is compacted every moment. */
    COMPACTION("compaction while a shard is built"),
    /** The worker is away for longer than marks of deletes are kept. */
    TOMBSTONES("marks of deletes gone too soon"),
    /** The worker is away while its topics lose records that it has not read. */
    RETENTION("records gone before the worker read them"),
    /** A topic gets another partition. */
    PARTITIONS("number of partitions raised"),
    /** What a service syncs fails for seconds. */
    EIO("fsync fails"),
    /** What a service reads of its tables fails for seconds. */
    UNREADABLE("reads of the disk fail"),
    /** The machine of a service loses its power: what was not synced is gone. */
    POWER("power cut"),
    /** All of the writer's data goes back to a copy made seconds before. */
    PUT_BACK("writer's data put back to a copy"),
    /** Both services are flooded by clients that mean harm. */
    CLIENTS("hostile clients");

    private final String label;

    FaultKind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
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
