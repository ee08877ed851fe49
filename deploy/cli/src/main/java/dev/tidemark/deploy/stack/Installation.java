package dev.tidemark.deploy.stack;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A built checkout of Tidemark, or an unpacked release.
 *
 * @param home the directory that holds {@code deploy}, or {@code bin} and {@code lib} of a release
 * @param java the program that runs the children; the one that runs this process
 */
public record Installation(Path home, Path java) {
    /** System property in which the launcher says where home is. */
    public static final String HOME_PROPERTY = "tidemark.home";

    private static final Path MARK_OF_CHECKOUT = Path.of("deploy", "samples", "catalog.yaml");
    private static final Path MARK_OF_RELEASE = Path.of("bin", "tidemark");

    /**
     * Finds home by the launcher's property, or else by walking up from where this class was loaded.
     *
     * @throws StackException when neither leads to one
     */
    public static Installation locate() throws StackException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Optional<Path> home = upwardsFrom(ownLocation());
        String told = System.getProperty(HOME_PROPERTY);
        if (told != null) {
            home = Optional.of(Path.of(told));
        }
        return new Installation(
                home.orElseThrow(() -> new StackException("cannot find the directory of Tidemark; start it with"
                        + " deploy/tidemark, or say where it is with -D" + HOME_PROPERTY + "=DIR")),
                java);
    }

    /** The jar that, with those its manifest names, holds command line, writer and worker. */
    public Path serviceJar() {
        return part("deploy/cli/target/lib/tidemark.jar", "lib/tidemark.jar");
    }

    /** The jar that, with those its manifest names, is the broker. */
    public Path brokerJar() {
        return part("deploy/broker/target/lib/local-broker.jar", "lib/broker/local-broker.jar");
    }

    /** The directory of what lets processes start sooner; need not be there. */
    public Path fastStart() {
        return part("deploy/cli/target/faststart", "lib/faststart");
    }

    /** The directory of native libraries that are unpacked already; need not be there. */
    public Path nativeLibraries() {
        return fastStart().resolve("native");
    }

    /** The sample catalog and the rows for its tables. */
    public Path samples() {
        return part("deploy/samples", "samples");
    }

    /**
     * Makes sure that the jars are there.
     *
     * @throws StackException when the project has not been built
     */
    public Installation requireBuilt() throws StackException {
        for (Path jar : new Path[] {serviceJar(), brokerJar()}) {
            if (!Files.exists(jar)) {
                throw new StackException(
                        jar + " is not there; build it with: mvn -q -DskipTests package (in " + home + ")");
            }
        }
        return this;
    }

    private Path part(String inCheckout, String inRelease) {
        return home.resolve(Files.exists(home.resolve(MARK_OF_RELEASE)) ? inRelease : inCheckout);
    }

    private static @Nullable Path ownLocation() {
        try {
            return Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static Optional<Path> upwardsFrom(@Nullable Path start) {
        for (Path path = start; path != null; path = path.getParent()) {
            if (Files.exists(path.resolve(MARK_OF_CHECKOUT)) || Files.exists(path.resolve(MARK_OF_RELEASE))) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }
}
