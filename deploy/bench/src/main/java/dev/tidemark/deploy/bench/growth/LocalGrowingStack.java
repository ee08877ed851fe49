package dev.tidemark.deploy.bench.growth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.TidemarkTarget;
import dev.tidemark.deploy.bench.apply.StackWorker;
import dev.tidemark.deploy.bench.apply.TidemarkIndexer;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.wrk.WrkOutput;
import dev.tidemark.deploy.bench.wrk.WrkQueries;
import dev.tidemark.deploy.stack.LocalStack;
import dev.tidemark.deploy.stack.Role;

/** A stack of processes on this machine, asked by wrk. */
final class LocalGrowingStack implements GrowingStack {
    private static final int ROWS_A_REQUEST = 5_000;
    private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
    private static final long KILOBYTE = 1_024;

    private final LocalStack stack;
    private final TidemarkTarget target;
    private final IndexBuilder table;
    private final WrkQueries queries;
    private final Clock clock;

    LocalGrowingStack(LocalStack stack, TidemarkTarget target, IndexBuilder table, WrkQueries queries, Clock clock) {
        this.stack = stack;
        this.target = target;
        this.table = table;
        this.queries = queries;
        this.clock = clock;
    }

    @Override
    public void write(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
        table.load(rows);
    }

    @Override
    public double follow(Stream<CustomerRow> rows, int changes)
            throws BenchException, IOException, InterruptedException {
        StackWorker worker = new StackWorker(stack, target, clock);
        worker.end(Role.WORKER);
        writeUnseen(rows);
        double perSecond = new TidemarkIndexer(changes, worker.keepingAll(), clock)
                .follow(stack.settings().data())
                .perSecond();
        write(Stream.empty());
        return perSecond;
    }

    @Override
    public Answers ask(Duration time) throws BenchException, IOException, InterruptedException {
        WrkOutput output = queries.ask(stack.workerUrl(), time);
        return new Answers(output.perSecond(), output.p99Millis());
    }

    @Override
    public long residentBytes() throws IOException {
        String pid = stack.child(Role.WORKER)
                .handle()
                .map(handle -> Long.toString(handle.pid()))
                .orElse("none");
        Matcher found = RESIDENT.matcher(Files.readString(Path.of("/proc", pid, "status")));
        if (!found.find()) {
            throw new IOException("the system does not tell the memory of process " + pid);
        }
        return Long.parseLong(found.group(1)) * KILOBYTE;
    }

    private void writeUnseen(Stream<CustomerRow> rows) throws BenchException {
        List<CustomerRow> batch = new ArrayList<>();
        for (Iterator<CustomerRow> each = rows.iterator(); each.hasNext(); ) {
            batch.add(each.next());
            if (batch.size() == ROWS_A_REQUEST || !each.hasNext()) {
                try {
                    target.load(List.copyOf(batch)).join();
                } catch (CompletionException e) {
                    throw new BenchException("a load failed: " + e.getCause(), e);
                }
                batch.clear();
            }
        }
    }
}
