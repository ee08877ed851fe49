package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** What lets the processes of an installation start sooner; none of them needs it. */
public final class FastStart {
    private final Installation installation;

    /** @param installation whose directory is written to */
    public FastStart(Installation installation) {
        this.installation = installation;
    }

    /**
     * Unpacks the native library, runs a stack to learn from, and makes the archives of both class paths at a time,
     * unless they are younger than their jars.
     *
     * @throws IOException when one of them could not be made, with the cause; those made before stay
     */
    public void prepare() throws IOException, InterruptedException {
        for (NativeCode code : ServiceLoader.load(NativeCode.class)) {
            code.unpack(installation.nativeLibraries());
        }
        ClassArchive services = new ClassArchive(installation.serviceJar(), installation.serviceArchive());
        ClassArchive broker = new ClassArchive(installation.brokerJar(), installation.brokerArchive());
        if (services.isFresh() && broker.isFresh()) {
            return;
        }
        Path target = installation.serviceArchive().resolveSibling("");
        try (ScratchDirectory scratch = ScratchDirectory.below(target)) {
            LoadedClasses loaded = new Training(installation, scratch.path()).run();
            Process ofServices = services.begin(installation.java(), loaded.ofServices(), scratch.path());
            Process ofBroker = broker.begin(installation.java(), loaded.ofBroker(), scratch.path());
            services.finish(ofServices);
            broker.finish(ofBroker);
        }
    }
}
