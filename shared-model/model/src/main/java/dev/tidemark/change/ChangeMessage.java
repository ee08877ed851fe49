package dev.tidemark.change;

/** One record of a change topic: a change of a row, or a heartbeat. */
public sealed interface ChangeMessage permits ChangeEvent, Heartbeat {}
