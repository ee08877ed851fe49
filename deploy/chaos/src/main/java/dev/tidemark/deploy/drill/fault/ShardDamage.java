package dev.tidemark.deploy.drill.fault;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Damages a log or table file of one shard of a worker that is dead, as a power cut or a bad disk would. */
final class ShardDamage {
    private static final int MOST_TORN = 2_000;

    private ShardDamage() {}

    /**
     * Does it.
     *
     * @param data directory of the worker
     * @return what was done to which file; empty where there is nothing to damage
     */
    static Optional<String> damage(Path data, Random random) {
        String ending = random.nextBoolean() ? ".log" : ".sst";
        try (Stream<Path> files = Files.walk(data)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(ending))
                    .filter(file -> file.toFile().length() > 0)
                    .sorted(Comparator.naturalOrder())
                    .toList();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(damageFile(found.get(random.nextInt(found.size())), random));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String damageFile(Path damaged, Random random) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            long length = file.length();
            if (random.nextBoolean()) {
                long left = Math.max(0, length - 1 - random.nextInt(MOST_TORN));
                file.setLength(left);
                return damaged + " torn from " + length + " to " + left + " bytes";
            }
            long at = (long) (random.nextDouble() * length);
            file.seek(at);
            int value = file.read();
            file.seek(at);
            file.write(value ^ 1);
            return damaged + ": a bit flipped at " + at + " of " + length;
        }
    }
}
