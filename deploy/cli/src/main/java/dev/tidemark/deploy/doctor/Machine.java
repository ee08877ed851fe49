package dev.tidemark.deploy.doctor;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;

import dev.tidemark.deploy.text.Amounts;

/**
 * What this process runs on.
 *
 * @param java feature version, such as 17
 * @param bits 64 or 32; 0 where it is not known
 * @param rocks why RocksDB's native library does not load; empty where it does
 * @param openFiles most files that a process may have open; the largest long where there is no limit
 * @param memory bytes of the machine, or of the container where that has less
 */
public record Machine(int java, int bits, Optional<String> rocks, long openFiles, long memory) {
    private static final int LEAST_JAVA = 17;
    private static final long PLENTY_OF_FILES = 65_536;

    /** Files beside connections: jars, logs and a few shards. */
    private static final long FEW_FILES = 1_024;

    /** Bytes for code, threads and buffers of the network. */
    private static final long BESIDE_HEAP_AND_ROCKS = 256L << 20;

    /** As the launcher sets it. */
    private static final String USUAL_HEAP = "-Xmx512m ";

    private static final Pattern HEAP = Pattern.compile("-Xmx(\\d{1,9})([kKmMgG]?)");
    private static final Map<String, Integer> SHIFTS = Map.of("", 0, "k", 10, "m", 20, "g", 30);

    /** This one. */
    public static Machine here(Optional<String> rocks) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        // Java raises the limit of a process to the hard one, here and in the services.
        long files = system instanceof UnixOperatingSystemMXBean unix ? unix.getMaxFileDescriptorCount() : -1;
        return new Machine(
                Runtime.version().feature(),
                Integer.getInteger("sun.arch.data.model", 0),
                rocks,
                files < 0 ? Long.MAX_VALUE : files,
                system.getTotalMemorySize());
    }

    /**
     * Judges it.
     *
     * @param services those that are to run here
     * @param javaOptions {@code TIDEMARK_JAVA_OPTS}
     */
    void judge(List<ServiceSettings> services, String javaOptions, Findings findings) {
        String found = "Java " + java + ", " + bits + " bit";
        if (java >= LEAST_JAVA && bits != 32) {
            findings.ok("java", found);
        } else {
            findings.failed("java", found, "Java 17 or newer, 64 bit", "Install one and set JAVA_HOME to it.");
        }
        rocks.ifPresentOrElse(
                why -> findings.failed(
                        "rocksdb",
                        "RocksDB's native library does not load: " + why,
                        "a C library that is new enough, and a temporary directory that is not mounted with noexec",
                        "Update the system, or set TIDEMARK_JAVA_OPTS=-Djava.io.tmpdir=DIR to another directory."),
                () -> findings.ok("rocksdb", "its native library loads"));
        judgeFiles(services, findings);
        if (!services.isEmpty()) {
            judgeMemory(services, heap(USUAL_HEAP + javaOptions), findings);
        }
    }

    private void judgeFiles(List<ServiceSettings> services, Findings findings) {
        long connections = services.stream()
                .mapToLong(one -> one.values().getInt("http.max.connections"))
                .max()
                .orElse(0);
        String found = openFiles == Long.MAX_VALUE ? "no limit" : "at most " + Amounts.count(openFiles);
        String expected = "at least " + Amounts.count(PLENTY_OF_FILES);
        String advice = "Set LimitNOFILE=131072 in the unit, or run ulimit -n 131072 before a service is started.";
        if (openFiles >= PLENTY_OF_FILES) {
            findings.ok("open files", found);
        } else if (openFiles < FEW_FILES + connections) {
            findings.failed("open files", found, expected, advice);
        } else {
            findings.warning("open files", found, expected, advice);
        }
    }

    private void judgeMemory(List<ServiceSettings> services, long heap, Findings findings) {
        long needed = services.stream()
                .mapToLong(one -> heap + one.rocksBytes() + BESIDE_HEAP_AND_ROCKS)
                .sum();
        String found = Amounts.bytes(memory) + ", and " + Amounts.count(services.size(), "service", "services")
                + " may take " + Amounts.bytes(needed);
        if (memory >= needed) {
            findings.ok("memory", found);
        } else {
            findings.failed(
                    "memory",
                    found,
                    "that much, for heap (" + Amounts.bytes(heap) + " each), RocksDB and the rest",
                    "Add memory, or set a smaller -Xmx in TIDEMARK_JAVA_OPTS or fewer rocks.cache.bytes and"
                            + " rocksdb.cache.bytes.");
        }
    }

    /** The last flag counts. */
    private static long heap(String options) {
        long bytes = 0;
        Matcher flag = HEAP.matcher(options);
        while (flag.find()) {
            bytes = Long.parseLong(flag.group(1))
                    << SHIFTS.getOrDefault(flag.group(2).toLowerCase(Locale.ROOT), 0);
        }
        return bytes;
    }
}
