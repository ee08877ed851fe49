package dev.tidemark.deploy.faststart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What virtual machines loaded, a line each, as they list it for class data sharing: names, and what was made of
 * lambdas.
 *
 * @param ofServices by command line, writer and worker
 * @param ofBroker by the broker
 */
record LoadedClasses(Collection<String> ofServices, Collection<String> ofBroker) {
    private static final String BROKER = "dev/tidemark/broker/kafka/LocalBrokerMain";

    /** Puts the lists of all processes together, in the order in which classes were loaded. */
    static LoadedClasses of(Path directory) throws IOException {
        List<Path> lists;
        try (Stream<Path> files = Files.list(directory)) {
            lists = files.sorted().toList();
        }
        Set<String> services = new LinkedHashSet<>();
        Set<String> broker = new LinkedHashSet<>();
        for (Path list : lists) {
            List<String> lines = new ArrayList<>(Files.readAllLines(list));
            (lines.contains(BROKER) ? broker : services).addAll(lines);
        }
        return new LoadedClasses(services, broker);
    }
}
