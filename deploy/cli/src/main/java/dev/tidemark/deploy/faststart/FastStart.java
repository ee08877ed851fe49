package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Path;

import dev.tidemark.deploy.stack.Installation;
import dev.tidemark.deploy.stack.ScratchDirectory;

/** Makes the archives of both class paths, unless they are younger than the jars that they are made of. */
final class FastStart {
    private final Installation installation;

    FastStart(Installation installation) {
        this.installation = installation;
    }

    /**
     * Runs a stack to learn from, and makes both archives at a time.
     *
     * @throws IOException when one of them could not be made, with the cause; those made before stay
     */
    void prepare() throws IOException, InterruptedException {
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
