package dev.tidemark.deploy.bench.apply;

import java.time.Clock;
import java.util.stream.LongStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.MeasuredSystems;
import dev.tidemark.deploy.bench.build.Builders;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/** Fills the topic of a stack through its writer, and then leaves the machine to those who follow. */
record TopicFiller(MeasuredSystems contestants, Builders builders, Clock clock) {

    /**
     * Writes the changes, and ends the worker when all are in the topic. From then on the writer only sends the
     * definitions in force to a worker that begins with nothing.
     *
     * @return the worker, ended
     */
    StackWorker fill(LocalStack stack, int changes) throws BenchException, InterruptedException {
        builders.tidemark(stack.writerUrl(), stack.workerUrl(), clock)
                .load(LongStream.range(0, changes).mapToObj(CustomerRow::ofChange));
        StackWorker worker = new StackWorker(stack, contestants.tidemark(stack.writerUrl(), stack.workerUrl()), clock);
        worker.end(Role.WORKER);
        return worker;
    }
}
