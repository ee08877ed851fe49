package dev.tidemark.deploy.drill;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.tidemark.deploy.stack.ChildId;
import dev.tidemark.deploy.stack.ChildProcess;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;
import dev.tidemark.runtime.PrivateFiles;

/** A worker beside the stack's, in the same group, with separate data and port, that is started and killed. */
public final class SecondWorker implements AutoCloseable {
    private static final Duration END_PATIENCE = Duration.ofSeconds(10);

    /** What a worker prints of each shard that it was given and has opened. */
    private static final String OPENED = " is open at offset ";

    private final ChildProcess process;
    private final URI url;
    private final Path data;
    private final FreshLog log;
    private Instant until = Instant.MAX;

    private SecondWorker(ChildProcess process, URI url, Path data) {
        this.process = process;
        this.url = url;
        this.data = data;
        this.log = new FreshLog(process);
    }

    /**
     * One that does not run yet, in a directory of that name.
     *
     * @param settings beside its own, each {@code key=value}
     */
    static SecondWorker beside(LocalStack stack, String name, int port, List<String> settings) throws IOException {
        Path directory = stack.settings().data().resolve(name);
        Files.createDirectories(directory);
        Path data = directory.resolve("data");
        URI url = URI.create("http://127.0.0.1:" + port);
        List<String> all = new ArrayList<>(
                List.of("http.port=" + port, "data.dir=" + data, "group.instance.id=none", "advertised.url=" + url));
        all.addAll(settings);
        return new SecondWorker(
                new ChildProcess(stack.child(Role.WORKER).spec().another(ChildId.first(Role.WORKER), directory, all)),
                url,
                data);
    }

    /** Where clients call it. */
    URI url() {
        return url;
    }

    /** Comes, and stays until that time. */
    void come(Instant leaving) {
        until = leaving;
        process.start();
    }

    /** Leaves then, unless it is to leave before. */
    void leaveAt(Instant leaving) {
        until = leaving.isBefore(until) ? leaving : until;
    }

    /** Does not leave before. */
    void stayUntil(Instant least) {
        until = least.isAfter(until) ? least : until;
    }

    /** Kills it when its time is over; true when that was just done. */
    boolean tick(Instant now) throws InterruptedException {
        if (!process.isAlive() || now.isBefore(until)) {
            return false;
        }
        close();
        return true;
    }

    /** SIGKILL. */
    @Override
    public void close() {
        process.kill();
        try {
            process.awaitEnd(END_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.forget();
    }

    /** SIGKILL, and its disk is lost. */
    void loseDisk() {
        close();
        try {
            PrivateFiles.removeDirectory(data);
        } catch (IOException e) {
            throw new UncheckedIOException("Expected to remove " + data + ", but " + e, e);
        }
    }

    /** SIGSTOP. */
    void suspend() {
        process.suspend();
    }

    /** SIGCONT. */
    void resume() {
        process.resume();
    }

    /** How many shards it was given and has opened since this was last asked. */
    int opened() {
        return (log.read() + "|").split(OPENED, -1).length - 1;
    }

    /** Whether it runs. */
    boolean isHere() {
        return process.isAlive();
    }

    /** What a process has printed since it was last asked for, over all its lives. For one thread. */
    static final class FreshLog {
        private final ChildProcess process;
        private long read;

        FreshLog(ChildProcess process) {
            this.process = process;
        }

        /** What is new; empty where it has not printed anything yet. */
        String read() {
            Path file = process.spec().logFile();
            if (!Files.exists(file)) {
                return "";
            }
            try (InputStream log = Files.newInputStream(file)) {
                log.skipNBytes(read);
                byte[] fresh = log.readAllBytes();
                read += fresh.length;
                return new String(fresh, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * More workers of the group come, are given shards, and are killed, again and again; for longer than it was to last
     * where too few shards have gone to others by then.
     */
    static final class RebalanceStorm implements Fault {
        /** For who is given nothing. */
        private static final Duration LONGEST_STAY = Duration.ofSeconds(60);

        /** For others to come and to be given shards, where the machine is busy. */
        static final Duration LONGEST = Duration.ofSeconds(70);

        private static final int LEAST_MILLIS = 500;
        private static final int MORE_MILLIS = 4_000;

        private final List<SecondWorker> others;
        private final Random random;
        private int opened;
        private Instant begun = Instant.MIN;
        private Instant serving = Instant.MIN;
        private Instant calmUntil = Instant.MIN;

        RebalanceStorm(List<SecondWorker> others, Random random) {
            this.others = others;
            this.random = random;
        }

        @Override
        public boolean begin(Role role, Instant time) throws InterruptedException {
            opened = 0;
            begun = time;
            serving = Instant.MIN;
            calmUntil = Instant.MIN;
            tick(time);
            return true;
        }

        @Override
        public void tick(Instant now) throws InterruptedException {
            for (SecondWorker other : others) {
                int more = other.opened();
                if (more > 0) {
                    Instant leaving = now.plus(Duration.ofMillis(LEAST_MILLIS + random.nextInt(MORE_MILLIS)));
                    // The last one that has to be given shards serves them for a while, too.
                    serving = hasHit() ? serving : leaving;
                    opened += more;
                    other.leaveAt(leaving);
                }
                other.stayUntil(calmUntil);
                other.tick(now);
                if (!other.isHere()) {
                    other.come(now.plus(LONGEST_STAY));
                }
            }
        }

        @Override
        public boolean end(Instant now) {
            boolean waits = !hasHit() || now.isBefore(serving);
            if (waits && now.isBefore(begun.plus(LONGEST))) {
                return false;
            }
            for (SecondWorker other : others) {
                other.close();
                opened += other.opened();
            }
            return true;
        }

        /** Lets no worker leave before a time. */
        void calmUntil(Instant least) {
            calmUntil = least;
        }

        /** How many shards the others were given so far, in all. */
        int opened() {
            return opened;
        }

        /** Whether the others were given as many shards as there are of them, at least. */
        @Override
        public boolean hasHit() {
            return opened >= others.size();
        }

        /**
         * While workers come and are killed, the stack's own one, which is asked all the time, is stopped until others
         * have its shards, and goes on as if nothing had been.
         */
        static final class ZombieWorker implements Fault {
            /** The group gives a silent worker's shards away after 3 s, which is its lease as well. */
            private static final Duration LEASE = Duration.ofMillis(3_500);

            private static final Duration LEAST = Duration.ofSeconds(5);
            private static final int MORE_MILLIS = 3_000;

            private final RebalanceStorm storm;
            private final ProcessSupervisor supervisor;
            private final Random random;
            private Instant begun = Instant.MIN;
            private Instant stopped = Instant.MAX;
            private Instant until = Instant.MAX;
            private int openedBefore;
            private boolean replaced;

            ZombieWorker(RebalanceStorm storm, ProcessSupervisor supervisor, Random random) {
                this.storm = storm;
                this.supervisor = supervisor;
                this.random = random;
            }

            @Override
            public boolean begin(Role role, Instant time) throws InterruptedException {
                stopped = Instant.MAX;
                until = Instant.MAX;
                replaced = false;
                begun = time;
                return storm.begin(role, time);
            }

            @Override
            public void tick(Instant time) throws InterruptedException {
                storm.tick(time);
                if (stopped.equals(Instant.MAX)) {
                    // Other workers are members by now, so that one of them can take over.
                    if (storm.opened() > 0) {
                        stop(time);
                    }
                } else if (supervisor.isStopped(Role.WORKER) && !time.isBefore(stopped.plus(LEASE))) {
                    replaced |= storm.opened() > openedBefore;
                } else if (!replaced && !time.isBefore(until)) {
                    // No worker took over meanwhile: once more.
                    stopped = Instant.MAX;
                }
            }

            private void stop(Instant time) {
                Instant goesOn = time.plus(LEAST).plusMillis(random.nextInt(MORE_MILLIS));
                if (supervisor.stop(Role.WORKER, goesOn)) {
                    stopped = time;
                    until = goesOn;
                    // A member that keeps joining and leaving keeps the group from assigning shards.
                    storm.calmUntil(goesOn);
                    openedBefore = storm.opened();
                }
            }

            @Override
            public boolean end(Instant now) {
                boolean waits = replaced ? now.isBefore(until) : now.isBefore(begun.plus(RebalanceStorm.LONGEST));
                return !waits && storm.end(now);
            }

            /** Whether others were given shards while it was stopped for longer than its lease. */
            @Override
            public boolean hasHit() {
                return replaced;
            }
        }
    }
}
