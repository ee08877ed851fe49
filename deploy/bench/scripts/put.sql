-- For pgbench: what put.lua writes.
\set id random(0, :customers - 1)
\set number random(0, 99)
\set house random(0, 1999)
\set town random(100, 599)
\set phone random(1000, 9999)
INSERT INTO customers VALUES (:id, 'Margaret', 'Kowalski' || :number, :house || ' Station Road', 'Town ' || :town, '425-555-' || :phone, true, :house)
 ON CONFLICT ("customerId") DO UPDATE SET "firstName" = excluded."firstName", "lastName" = excluded."lastName",
 street = excluded.street, town = excluded.town, phone = excluded.phone, active = excluded.active, change = excluded.change;
