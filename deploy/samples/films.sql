-- A table of films, and a role that may follow it. Run it in a database of its own, as an administrator.
CREATE TABLE films (
  id int PRIMARY KEY,
  title text NOT NULL,
  year int,
  "cast" text[] NOT NULL
);
INSERT INTO films VALUES
  (1, 'Alien', 1979, '{"Sigourney Weaver","Tom Skerritt"}'),
  (2, 'Galaxy Quest', 1999, '{"Tim Allen","Sigourney Weaver"}'),
  (3, 'Top Gun', 1986, '{"Tom Cruise","Tom Skerritt"}');
CREATE ROLE tidemark LOGIN REPLICATION PASSWORD 'change-me';
GRANT SELECT ON films TO tidemark;
CREATE PUBLICATION tidemark_films FOR TABLE films;
