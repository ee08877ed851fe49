package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.BenchStack;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.apply.StackWorker;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.wrk.WrkOutput;
import dev.tidemark.deploy.bench.wrk.WrkTool;

/** A stack of processes on this machine, queried by wrk. */
final class LocalGrowingStack implements GrowingStack {
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final long KILOBYTE = 1_024;

    private final BenchStack stack;
    private final IndexBuilder table;
    private final WrkTool wrk;
    private final StackWorker worker;
    private int queries;

    LocalGrowingStack(BenchStack stack, IndexBuilder table, WrkTool wrk) {
        this.stack = stack;
        this.table = table;
        this.wrk = wrk;
        this.worker = new StackWorker(stack, false);
    }

    @Override
    public void write(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
        table.load(rows);
    }

    @Override
    public double follow(Stream<CustomerRow> rows, int changes)
            throws BenchException, IOException, InterruptedException {
        worker.end();
        stack.target().loadAll(rows);
        double perSecond = worker.follow(changes).perSecond();
        write(Stream.empty());
        return perSecond;
    }

    @Override
    public WrkOutput query(Duration time) throws BenchException, IOException, InterruptedException {
        queries++;
        return wrk.run(
                Scenario.QUERY,
                stack.installation().home(),
                stack.services().workerUrl(),
                time,
                List.of("0", Integer.toString(queries)));
    }

    @Override
    public long residentBytes() throws IOException {
        Matcher found = RESIDENT.matcher(worker.reported("status"));
        if (!found.find()) {
            throw new IOException("the system does not report the memory of the worker");
        }
        return Long.parseLong(found.group(1)) * KILOBYTE;
    }
}
