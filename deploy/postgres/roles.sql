-- Creates two roles for one database. service_owner owns the schema and runs `npm run migrate`. service serves requests: it
-- reads and writes rows, but cannot change tables. Run this once, in the database of the service, as a role that owns the
-- database and has CREATEROLE, such as the administrator of a managed server, or as a superuser:
--
--   psql "$ADMIN_URL" -f deploy/postgres/roles.sql
--   psql "$ADMIN_URL" -c '\password service_owner' -c '\password service'
--
-- If a statement fails, psql stops with exit code 3, and nothing has changed. If another role has owned the tables so far, run
-- `reassign owned by <that role> to service_owner` afterwards.
\set ON_ERROR_STOP on
begin;

create role service_owner login;
create role service login;
-- Only a member of a role may give it a schema, or change its default privileges.
do $$ begin execute format('grant service_owner to %I', current_user); end $$;

-- An owner of a schema needs the right to create schemas. Migrations also create one for the queues of jobs.
do $$ begin execute format('grant create on database %I to service_owner', current_database()); end $$;
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

commit;
