package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.history.HistoryRecorder;
import dev.tidemark.deploy.drill.load.ClientGate;
import dev.tidemark.deploy.drill.target.DrillTarget;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.stack.LocalStack;

/**
 * What faults work with.
 *
 * @param books the writes of the clients and the answers to them
 * @param gate that the clients pass for each write
 * @param tables that the clients write to
 * @param tampered the one of them whose topic gets bad records; its primary key is a text
 * @param lost called with the time span whose acknowledged writes are all lost
 */
public record FaultContext(
        LocalStack stack,
        ProcessSupervisor supervisor,
        HistoryRecorder books,
        ClientGate gate,
        DrillTarget target,
        TopicTamper tamper,
        List<TableDefinition> tables,
        TableDefinition tampered,
        BiConsumer<Instant, Instant> lost,
        Random random) {}
