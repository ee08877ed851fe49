package dev.tidemark.deploy.cli;

/** The main method of a service; it may end the process. */
@FunctionalInterface
public interface ServiceEntry {
    void run(String[] args);
}
