package dev.tidemark.worker;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.catalog.FollowedDefinitions;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.GlobalReceipts;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.http.AdviseRoutes;
import dev.tidemark.worker.http.CatalogRoutes;
import dev.tidemark.worker.http.CopyRoutes;
import dev.tidemark.worker.http.EventStreams;
import dev.tidemark.worker.http.ExplainRoutes;
import dev.tidemark.worker.http.GroupIndexes;
import dev.tidemark.worker.http.GroupLag;
import dev.tidemark.worker.http.GroupParts;
import dev.tidemark.worker.http.GroupQuarantine;
import dev.tidemark.worker.http.GroupVerifications;
import dev.tidemark.worker.http.LagJson;
import dev.tidemark.worker.http.OwnerCalls;
import dev.tidemark.worker.http.PeerClient;
import dev.tidemark.worker.http.PeerRoutes;
import dev.tidemark.worker.http.PeerUsage;
import dev.tidemark.worker.http.PlanRoutes;
import dev.tidemark.worker.http.QuarantineJson;
import dev.tidemark.worker.http.QueryRoutes;
import dev.tidemark.worker.http.ReceiptRoutes;
import dev.tidemark.worker.http.TablePauses;
import dev.tidemark.worker.http.VerifyRoutes;
import dev.tidemark.worker.http.WorkerRoutes;
import dev.tidemark.worker.http.WorkersJson;
import dev.tidemark.worker.http.WriterClient;
import dev.tidemark.worker.query.GroupQueries;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.shard.WaiterLimit;

/** Wires what the worker answers over HTTP. */
record RoutesMain(
        WorkerMain.Core core,
        WorkerMain.Following following,
        WorkerMain.Upkeep upkeep,
        FollowedDefinitions definitions,
        IndexNames names,
        MemoryBudget.Part pages,
        SteadyClock clock) {

    WorkerRoutes routes(
            ShardRoutes shardRoutes,
            PeerClient peers,
            LagJson lag,
            GroupLag groupLag,
            GroupIndexes indexes,
            EventStreams events) {
        WorkerConfig config = core.config();
        int half = Math.max(1, config.http().threads() / 2);
        WaiterLimit waiting = new WaiterLimit(core.progressSignal(), half);
        WriterClient writer = new WriterClient(core.writer(), core.turns());
        QueryEngine engine = new QueryEngine(core.lag(), waiting, writer, pages, following.lease()::refusal, clock);
        GroupQueries queries = new GroupQueries(engine, shardRoutes, peers, writer, pages, peers::after, clock);
        WorkersJson workers = new WorkersJson(
                core.self(), config.replicaGroup(), shardRoutes, peers, core.lag(), definitions::layout);
        RowLookup rows = new RowLookup(core.lag(), following.lease()::refusal);
        OwnerCalls owners = new OwnerCalls(rows, shardRoutes, peers, waiting, clock);
        QueryLimits limits = config.queries();
        GroupParts group = new GroupParts(shardRoutes, peers);
        QuarantineJson quarantine = new QuarantineJson(core.shards(), pages);
        return new WorkerRoutes(
                new QueryRoutes(names, queries, core.advised().usage(), indexes, limits),
                new PeerRoutes(names, engine, limits, workers, lag, quarantine),
                new CopyRoutes(core.copies()),
                lag,
                groupLag,
                indexes,
                new TablePauses(core.shards(), upkeep.catalog(), definitions::catalog),
                new GroupQuarantine(quarantine, group, definitions::layout),
                new ExplainRoutes(names, new Explainer(rows, writer), owners),
                new ReceiptRoutes(
                        new ReceiptService(
                                definitions,
                                rows,
                                waiting,
                                new GlobalReceipts(
                                        rows,
                                        writer,
                                        shardRoutes::progress,
                                        shardRoutes::serves,
                                        shardRoutes::isKnown)),
                        definitions::catalog,
                        limits,
                        owners),
                new VerifyRoutes(
                        definitions,
                        upkeep.verify(),
                        core.shards(),
                        new GroupVerifications(core.self(), config.replicaGroup(), group, clock)),
                events,
                new CatalogRoutes(upkeep.catalog(), names, indexes),
                new AdviseRoutes(
                        new Advisor(definitions, core.shards(), core.advised(), new PeerUsage(group), clock), names),
                new PlanRoutes(upkeep.forecastJobs(), definitions),
                definitions::isKnown,
                core.shards(),
                core.backups());
    }
}
