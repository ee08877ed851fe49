-- For pgbench: what query.lua asks for.
\set town random(100, 599)
SELECT * FROM customers WHERE town = 'Town ' || :town ORDER BY "lastName" LIMIT 20;
