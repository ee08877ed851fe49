package dev.tidemark.deploy.stack;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a kind of process starts from: classes as its virtual machine takes them over without reading and verifying
 * them. Before Java 25 they are an archive for each class path (JEP 310, 341). Since then they are an ahead-of-time
 * cache for each kind of process, which knows how methods were used, too (JEP 483, 514, 515).
 */
public enum StartImage {
    /** Has no cache, because a stack does not wait until a broker has recorded for one. */
    BROKER("broker", false),
    WRITER("services", true),
    WORKER("services", true),
    COMMAND("services", false);

    /** Whether this Java has caches with profiles of methods. The launcher looks for the same version. */
    public static final boolean AHEAD_OF_TIME = Runtime.version().feature() >= 25;

    private final String classPath;
    private final boolean nativeCode;

    StartImage(String classPath, boolean nativeCode) {
        this.classPath = classPath;
        this.nativeCode = nativeCode;
    }

    /** The flags of such a process that have to be the same when its cache is made. */
    public List<String> flags() {
        return nativeCode
                ? List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                : List.of("-XX:+UseSerialGC");
    }

    /** The image of a child. */
    public static StartImage of(Role role) {
        return valueOf(role.name());
    }

    /** Where it is; need not be there, and several kinds may share one. */
    public Path file(Installation installation) {
        String name = AHEAD_OF_TIME ? name().toLowerCase(Locale.ROOT) + ".aot" : classPath + ".jsa";
        return installation.fastStart().resolve(name);
    }

    /** The first of the class path of such a process. */
    public Path jar(Installation installation) {
        return this == BROKER ? installation.brokerJar() : installation.serviceJar();
    }

    /** The flags with which a virtual machine uses it; none where it is not there. */
    List<String> use(Installation installation) {
        Path file = file(installation);
        if (!Files.exists(file)) {
            return List.of();
        }
        // An image of another Java or other jars is passed over, which is no reason to write on standard output.
        return AHEAD_OF_TIME
                ? List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off")
                : List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off");
    }
}
