package dev.tidemark.deploy.simulation;

/** The process ends here. An error, so that no production code mistakes it for a failure to be handled. */
final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(String point) {
        super(point, null, false, false);
    }
}
