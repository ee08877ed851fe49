-- Format 2 of the fact tables in PostgreSQL. docs/storage-format.md explains it.

-- One row: who may commit, and the last commit. Each commit updates it first.
CREATE TABLE tidemark.writer (
    id                smallint PRIMARY KEY CHECK (id = 1),
    format            integer NOT NULL,
    term              bigint NOT NULL,
    holder            text NOT NULL,
    url               text NOT NULL,
    place             text NOT NULL,
    renewals          bigint NOT NULL,
    epoch             bigint NOT NULL,
    sequence          bigint NOT NULL,
    committed_at      timestamptz NOT NULL,
    reserved_until    timestamptz NOT NULL,
    system_identifier text NOT NULL,
    timeline          bigint NOT NULL
) WITH (fillfactor = 10);

-- Each table of the catalog, with the relation of its rows and that of its view.
CREATE TABLE tidemark.tables (
    id          integer PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    relation    text NOT NULL,
    view        text NOT NULL,
    partitions  integer NOT NULL,
    primary_key json NOT NULL,
    columns     json NOT NULL
);

-- Changes in commit order. The three tables take turns, and the oldest is emptied as a whole.
CREATE TABLE tidemark.outbox_0 (
    sequence     bigint PRIMARY KEY,
    table_id     integer NOT NULL,
    partition    integer NOT NULL,
    kind         smallint NOT NULL,
    epoch        bigint NOT NULL,
    committed_at timestamptz NOT NULL,
    pk           bytea NOT NULL,
    row          bytea,
    placements   bytea
);
CREATE TABLE tidemark.outbox_1 (LIKE tidemark.outbox_0 INCLUDING ALL);
CREATE TABLE tidemark.outbox_2 (LIKE tidemark.outbox_0 INCLUDING ALL);

-- One row: how far the outbox is published, and how far it is gone.
CREATE TABLE tidemark.marks (
    id        smallint PRIMARY KEY CHECK (id = 1),
    published bigint NOT NULL,
    low_water bigint NOT NULL
) WITH (fillfactor = 10);

-- Deletes whose rows the topics are to forget. One of a derived table has its name in derived.
CREATE TABLE tidemark.tombstones (
    deleted_at timestamptz NOT NULL,
    sequence   bigint NOT NULL,
    epoch      bigint NOT NULL,
    table_id   integer NOT NULL,
    partition  integer NOT NULL,
    pk         bytea NOT NULL,
    derived    text NOT NULL DEFAULT '',
    PRIMARY KEY (deleted_at, sequence, derived, partition)
);
CREATE INDEX tombstones_of_a_row ON tidemark.tombstones (table_id, pk);

CREATE TABLE tidemark.digests (
    generation bigint NOT NULL,
    partition  integer NOT NULL,
    high       bigint NOT NULL,
    low        bigint NOT NULL,
    PRIMARY KEY (generation, partition)
);

-- Single values by name: the definitions in force, the secret of the deployment, what the writer remembers of topics.
CREATE TABLE tidemark.settings (
    name  text PRIMARY KEY,
    value text NOT NULL
);
