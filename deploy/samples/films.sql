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
-- Made up, so that there are 15,000 with the one that is added later.
INSERT INTO films
  SELECT n, 'Film ' || n, 1930 + n % 95, ARRAY['Actor ' || n % 1000, 'Actor ' || (n * 7 + 1) % 1000]
  FROM generate_series(5, 15000) n;
CREATE ROLE tidemark LOGIN REPLICATION PASSWORD 'change-me';
GRANT SELECT ON films TO tidemark;
CREATE PUBLICATION tidemark_films FOR TABLE films;
