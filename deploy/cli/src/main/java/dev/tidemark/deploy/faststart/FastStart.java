package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** What lets the processes of an installation start sooner; none of them needs it. */
public final class FastStart {
    /** An archive suits this one alone. */
    private static final String JAVA = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");

    private final Installation installation;

    /** @param installation whose directory is written to */
    public FastStart(Installation installation) {
        this.installation = installation;
    }

    /**
     * Unpacks the native library, runs a stack to learn from, and makes the archives of both class paths at a time,
     * unless they are younger than their jars and of this Java.
     *
     * @throws IOException when one of them could not be made, with the cause; those made before stay
     */
    public void prepare() throws IOException, InterruptedException {
        for (NativeCode code : ServiceLoader.load(NativeCode.class)) {
            code.unpack(installation.nativeLibraries());
        }
        ClassArchive services = new ClassArchive(installation.serviceJar(), installation.serviceArchive());
        ClassArchive broker = new ClassArchive(installation.brokerJar(), installation.brokerArchive());
        Path target = installation.serviceArchive().resolveSibling("");
        Path madeFor = target.resolve("java");
        if (services.isFresh()
                && broker.isFresh()
                && Files.exists(madeFor)
                && Files.readString(madeFor).equals(JAVA)) {
            return;
        }
        try (ScratchDirectory scratch = ScratchDirectory.below(target)) {
            LoadedClasses loaded = new Training(installation, scratch.path()).run();
            Process ofServices = services.begin(installation.java(), loaded.ofServices(), scratch.path());
            Process ofBroker = broker.begin(installation.java(), loaded.ofBroker(), scratch.path());
            services.finish(ofServices);
            broker.finish(ofBroker);
            Files.writeString(madeFor, JAVA);
        }
    }
}
