package dev.tidemark.row;

import java.util.Locale;

/**
 * The kinds of problems that programs distinguish by name. The description of a service lists the kinds that it
 * answers. Any other problem has only its HTTP status.
 */
public enum ProblemType {
    /** The body of a call has more bytes than the call takes. */
    BODY_TOO_LARGE,
    /** It is not known yet which definitions were published in the past, so they cannot be changed. */
    DEFINITIONS_UNCONFIRMED,
    /** The disk of the service failed at what the request needs. */
    DISK_FAILED,
    /** The fact tables are damaged and cannot be served. */
    FACTS_DAMAGED,
    /** The database of the fact tables cannot be reached, or did not do what was asked. */
    FACTS_UNAVAILABLE,
    /** The caller's token lacks a scope. */
    FORBIDDEN,
    /** The request line and the headers have more bytes than are taken, or there are too many headers. */
    HEADERS_TOO_LARGE,
    /** JSON is nested deeper than is read. */
    JSON_TOO_DEEP,
    /** JSON is beyond another limit of what is read. */
    JSON_TOO_LARGE,
    /** A primary key has more bytes than a key may have. */
    KEY_TOO_LONG,
    /** A page of more rows or entries was asked for than one page may have. */
    LIMIT_TOO_LARGE,
    /** An all-or-nothing load, or a batch of a source, has more bytes than are held in memory. */
    LOAD_TOO_LARGE,
    /** The content type is none of those that the call takes. */
    MEDIA_TYPE,
    /** The name of a member of an object is longer than is read. */
    NAME_TOO_LONG,
    /** The memory for requests and answers is used up by others. */
    NO_MEMORY,
    /** The worker does not hold the shards that another worker asks for. */
    NOT_HELD,
    /** A row that is to keep members of the row before it has none before it, or that one lacks them. */
    NOTHING_TO_KEEP,
    /** A number has more digits, or a larger exponent, than is read. */
    NUMBER_TOO_LONG,
    /** A page of another site sent the request. */
    OTHER_SITE,
    /** It is not known whether a write was done. */
    OUTCOME_UNKNOWN,
    /** An index cannot hold the row. */
    ROW_NOT_INDEXABLE,
    /** A row has more bytes than a row may have. */
    ROW_TOO_LARGE,
    /**
     * Rows that a source deletes by their version may have a newer one that the source has not sent, at most the
     * version in the member {@code restated}.
     */
    ROWS_RESTATED,
    /** The changes of a source do not go on from where it stands; the member {@code position} says where that is. */
    SOURCE_MOVED,
    /** The rows of the table come from another database, which the member {@code source} names. */
    TABLE_FOLLOWS_SOURCE,
    /** The address has shown too many tokens that are not known. */
    TOO_MANY_ATTEMPTS,
    /** A lookup asks for more keys than one may. */
    TOO_MANY_KEYS,
    /** As many all-or-nothing loads are under way as may be. */
    TOO_MANY_LOADS,
    /** As many clients are being streamed to as may be. */
    TOO_MANY_STREAMS,
    /** As many writes wait to be committed as may. */
    TOO_MANY_WRITES,
    /** The request took longer than it may. */
    TOO_SLOW,
    /** There is no token, or none that is known. */
    UNAUTHORIZED,
    /** The request is for a host that the service does not know. */
    UNKNOWN_HOST,
    /** Path and query have more bytes than are taken. */
    URL_TOO_LONG,
    /** A call asks to wait for longer than it may. */
    WAIT_TOO_LONG,
    /**
     * A batch of a source names a table that the stored watermark is not about, without a watermark as late as that
     * one, which is the member {@code watermark}.
     */
    WATERMARK_BEHIND,
    /** No write is taken now: this one was not applied, or of a load not the rest. */
    WRITES_UNAVAILABLE;

    /** How a problem of this kind is named in an answer, as in {@code tidemark:row-too-large}. */
    public String uri() {
        return "tidemark:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
