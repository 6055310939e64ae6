-- Two roles for one database: service_owner owns the schema and runs `npm run migrate`; service serves requests, reads and
-- writes rows, and can change no table. Run it once, in the database of the service, as its owner or a superuser:
--
--   psql "$ADMIN_URL" -f deploy/postgres/roles.sql
--   psql "$ADMIN_URL" -c '\password service_owner' -c '\password service'
--
-- A database that one role has served so far: afterwards `reassign owned by <that role> to service_owner`.

create role service_owner login;
create role service login;

revoke create on schema public from public;
alter schema public owner to service_owner;
grant usage on schema public to service;

-- What is there, and what migrations will make. `npm run migrate` takes the right to write its table `migrations` away again.
grant select, insert, update, delete on all tables in schema public to service;
grant usage on all sequences in schema public to service;
alter default privileges for role service_owner grant usage on schemas to service;
alter default privileges for role service_owner grant select, insert, update, delete on tables to service;
alter default privileges for role service_owner grant usage on sequences to service;

-- The queue of mails has a schema of its own.
do $$ begin execute format('grant create on database %I to service_owner', current_database()); end $$;
