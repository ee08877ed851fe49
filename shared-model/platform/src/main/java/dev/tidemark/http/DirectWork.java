package dev.tidemark.http;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a call does on the network thread, where that needs neither waiting nor a disk: it saves the way from one thread
 * to another, which costs more than what such a call does.
 */
@FunctionalInterface
public interface DirectWork {
    /**
     * Begins to fill the answer of a call.
     *
     * @return completed once the answer is filled; empty to leave the call to its handler, as any exception does, and
     *     then nothing has been done
     */
    Optional<CompletionStage<?>> begin(Call call) throws Exception;
}
