package dev.tidemark.deploy.simulation;

import java.util.Optional;
import java.util.Set;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.outbox.TopicLedger;
import dev.tidemark.writer.outbox.TopicRecord;

/** A ledger of topics that fails now and then. */
record FallibleLedger(TopicLedger ledger, PortFaults faults) implements TopicLedger {
    @Override
    public Optional<TopicRecord> find(String table) {
        return faults.read(() -> ledger.find(table));
    }

    @Override
    public void save(String table, TopicRecord topic, boolean durably) {
        faults.write(() -> ledger.save(table, topic, durably));
    }

    @Override
    public Set<String> tables() {
        return faults.read(ledger::tables);
    }

    @Override
    public void forget(String table) {
        faults.write(() -> ledger.forget(table));
    }

    @Override
    public long nextSession(long least) {
        return faults.written(() -> ledger.nextSession(least));
    }

    @Override
    public long lastSession() {
        return faults.read(ledger::lastSession);
    }

    @Override
    public Optional<RowVersion> unsettled() {
        return faults.read(ledger::unsettled);
    }

    @Override
    public void unsettled(RowVersion since) {
        faults.write(() -> ledger.unsettled(since));
    }

    @Override
    public void settled() {
        faults.write(ledger::settled);
    }
}
