package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.Random;

import dev.tidemark.deploy.stack.Role;

/** What happens to the files of a worker's shards. */
final class ShardFaults {
    private ShardFaults() {}

    /** One file is missing when the worker comes back. */
    record FileGone(ProcessSupervisor crew, Random random) implements Fault {
        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            return crew.kill(Role.WORKER, Instant.MIN)
                    && new ShardFiles(crew.dataOf(Role.WORKER)).loseOne(random).isPresent();
        }
    }

    /** A shard is missing when the worker comes back, and is built from a topic that changes below it. */
    record ShardGone(ProcessSupervisor crew, Random random, TopicFault compaction) implements Fault {
        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            if (!compaction.begin(role, now)) {
                return false;
            }
            if (crew.kill(Role.WORKER, Instant.MIN)) {
                new ShardFiles(crew.dataOf(Role.WORKER)).loseShard(random);
            }
            return true;
        }

        @Override
        public boolean end() throws InterruptedException {
            return compaction.end();
        }
    }

    /** The worker is away while marks of deletes go, and is back before they are kept for longer again. */
    record LateForDeletes(ProcessSupervisor crew, TopicFault compaction) implements Fault {
        @Override
        public boolean begin(Role role, Instant now) throws InterruptedException {
            if (!compaction.begin(role, now)) {
                return false;
            }
            crew.kill(Role.WORKER, Instant.MAX);
            return true;
        }

        @Override
        public boolean end() throws InterruptedException {
            crew.mayComeBack(Role.WORKER);
            return crew.isReady() && compaction.end();
        }
    }
}
