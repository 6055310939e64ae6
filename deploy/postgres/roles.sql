-- Creates two roles for one database. service_owner owns the schema and runs `npm run migrate`. service serves requests: it
-- reads and writes rows, but cannot change tables. Run this once, in the database of the service, as its owner or a
-- superuser:
--
--   psql "$ADMIN_URL" -f deploy/postgres/roles.sql
--   psql "$ADMIN_URL" -c '\password service_owner' -c '\password service'
--
-- If another role has owned the tables so far, run `reassign owned by <that role> to service_owner` afterwards.

create role service_owner login;
create role service login;

revoke create on schema public from public;
alter schema public owner to service_owner;
grant usage on schema public to service;

-- The rights on existing tables, and on those that migrations will create. `npm run migrate` revokes the right to write its
-- table `migrations`.
grant select, insert, update, delete on all tables in schema public to service;
grant usage on all sequences in schema public to service;
alter default privileges for role service_owner grant usage on schemas to service;
alter default privileges for role service_owner grant select, insert, update, delete on tables to service;
alter default privileges for role service_owner grant usage on sequences to service;

-- Migrations create a schema for the queues of jobs.
do $$ begin execute format('grant create on database %I to service_owner', current_database()); end $$;
