package dev.tidemark.deploy.kills;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import com.dynatrace.hash4j.hashing.Hashing;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.JsonNode;
import io.whitfin.siphash.SipHasher;
import org.jspecify.annotations.NullMarked;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.testkit.TestTables;

/** A process with a store in it, to be killed. */
final class ProcessUnderTest implements AutoCloseable {
    /** The processes have the low priority of this one: where much else runs, they hardly come on. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK_EVERY = Duration.ofMillis(1);

    private final Process process;
    private final InputStream out;
    private final Path errors;
    private final StringBuilder heard = new StringBuilder();

    private ProcessUnderTest(Process process, Path errors) {
        this.process = process;
        this.out = process.getInputStream();
        this.errors = errors;
    }

    /**
     * Starts one.
     *
     * @param home where its store is
     * @param library directory of the native library, so that nobody unpacks it anew; beside it is what it prints of
     *     errors
     */
    static ProcessUnderTest start(TrialKind kind, Path home, Path library, long seed) throws IOException {
        Path errors = library.resolveSibling("errors.txt");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-XX:-UsePerfData",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-Xmx64m",
                        "-Djava.library.path=" + library,
                        "-Djava.io.tmpdir=" + home,
                        "-cp",
                        classPath(),
                        TrialMain.class.getName(),
                        kind.name(),
                        home.resolve("store").toString(),
                        Long.toString(seed))
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        return new ProcessUnderTest(process, errors);
    }

    /**
     * Waits until it has said so many lines, or has ended. It says the first when its store is open and checked, and
     * one more after each batch.
     */
    void await(int lines) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (said() < lines && !process.waitFor(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "Expected " + lines + " lines within " + PATIENCE + ", but got " + heard);
            }
        }
    }

    /**
     * Kills it after a time.
     *
     * @return all it said
     * @throws IllegalStateException when it ended by itself before
     */
    List<String> killAfter(Duration time) throws IOException, InterruptedException {
        boolean ended = process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        // By its handle: the process itself would close what it said.
        process.toHandle().destroyForcibly();
        heard.append(new String(out.readAllBytes(), StandardCharsets.US_ASCII));
        process.waitFor();
        if (ended) {
            throw new IllegalStateException("Expected it to go on, but it ended: " + Files.readString(errors));
        }
        return heard.toString().lines().toList();
    }

    /** Stops it after a time, in the middle of whatever it does. */
    void suspendAfter(Duration time) throws IOException, InterruptedException {
        process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** How many lines it has said so far. */
    private long said() throws IOException {
        heard.append(new String(out.readNBytes(out.available()), StandardCharsets.US_ASCII));
        return heard.chars().filter(character -> character == '\n').count();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** No more than it needs: a short class path starts sooner. */
    private static String classPath() {
        Set<String> places = new LinkedHashSet<>();
        for (Class<?> from : Arrays.asList(
                TrialMain.class,
                KeyBytes.class,
                RocksDatabase.class,
                RocksShardStores.class,
                RocksFactStore.class,
                TestTables.class,
                RocksDB.class,
                Hashing.class,
                SipHasher.class,
                JsonNode.class,
                JsonFactory.class,
                JsonFormat.class,
                NullMarked.class,
                Logger.class)) {
            places.add(from.getProtectionDomain().getCodeSource().getLocation().getPath());
        }
        return String.join(File.pathSeparator, new ArrayList<>(places));
    }
}
