package dev.tidemark.deploy.drill.machine;

/** This machine does not allow something, or lacks a program for it. */
public final class MachineException extends Exception {
    private static final long serialVersionUID = 1;

    public MachineException(String message) {
        super(message);
    }
}
