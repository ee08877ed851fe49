package dev.tidemark.writer.leader;

import java.util.Optional;

/**
 * The right to commit to fact tables that several writers reach. One writer holds it at a time, and each commit checks
 * it.
 */
public interface CommitTerms {
    /** Who holds the right, as the database says now; empty before the first time. */
    Optional<TermHolder> holder();

    /**
     * Takes the right if the holder is still exactly the given one (term and renewals). Once it returns true, no commit
     * of the former holder succeeds.
     */
    boolean take(Optional<TermHolder> seen, String url, String place);

    /**
     * Says that the holder still runs; false when another writer has taken the right.
     *
     * @throws dev.tidemark.writer.commit.FactsUnavailableException when the database does not answer, or was put back
     */
    boolean renew();
}
