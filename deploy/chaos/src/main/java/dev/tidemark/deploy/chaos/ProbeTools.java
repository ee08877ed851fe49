package dev.tidemark.deploy.chaos;

import java.util.function.Supplier;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.target.ServiceCallers;

/** What the prober needs of the outside. */
interface ProbeTools {
    /**
     * Gives access to services.
     *
     * @param identity what is shown to them
     * @throws ServiceException when a file of the identity cannot be used
     */
    ServiceCallers callers(ClientIdentity identity) throws ServiceException;

    /**
     * Answers scrapes on a port of this machine.
     *
     * @param reports what was found so far
     * @return what ends it
     * @throws ServiceException when the port is taken
     */
    Runnable show(int port, Supplier<ProbeReport> reports) throws ServiceException;
}
