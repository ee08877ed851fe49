package dev.tidemark.deploy.http;

import java.util.Optional;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.tls.TlsFiles;

/** What is in the files of an identity. */
public final class Identities {
    private Identities() {}

    /**
     * Reads the files.
     *
     * @throws ServiceException when a file cannot be used
     */
    public static ServiceClient.Credentials credentials(ClientIdentity identity) throws ServiceException {
        TlsFiles tls = new TlsFiles(identity.certificate(), identity.key(), Optional.empty(), identity.ca());
        try {
            return ServiceClient.Credentials.load(tls, identity.token());
        } catch (BadSettingsException e) {
            throw new ServiceException(String.valueOf(e.getMessage()));
        }
    }
}
