/**
 * The tables of who may see what:
 *
 *     tenant ──< person ──< device      the token of a device, hashed
 *                       ──< login       a browser that has the page open, by the hash of its cookie
 *                       ──< audience    who may see some of the person's files: nobody else, some, or everyone
 *                       ──< share       a session with an audience of its own, whatever its project says
 *     policy   a project: who may see what is pushed into it, and for how many days it is kept
 *     hold     what must not be deleted
 *     audit    who read, shared or deleted what
 *
 * HU32: row-level security is the second line. The role of readers sees rows of the audiences that the database computes for
 * the person of the connection, whatever the server asks for, and has no right on tables that hold bytes or tokens.
 */
import { READER_ROLE, type SchemaPart } from './migrate.js'

const TABLES = `
CREATE TABLE access_tenant (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, made timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE access_person (
  tenant int NOT NULL REFERENCES access_tenant, id int GENERATED ALWAYS AS IDENTITY, name text NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'member', 'auditor', 'admin')), subject text,
  disabled timestamptz, made timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id), UNIQUE (tenant, name), UNIQUE (subject)
);
CREATE TABLE access_device (
  tenant int NOT NULL, id int GENERATED ALWAYS AS IDENTITY UNIQUE, person int NOT NULL, name text NOT NULL,
  hash bytea NOT NULL, scopes text[] NOT NULL, made timestamptz NOT NULL DEFAULT now(),
  expires timestamptz NOT NULL, revoked timestamptz, seen timestamptz,
  PRIMARY KEY (tenant, id), FOREIGN KEY (tenant, person) REFERENCES access_person
);
CREATE TABLE access_login (
  tenant int NOT NULL, hash bytea NOT NULL UNIQUE, person int NOT NULL, device int,
  made timestamptz NOT NULL DEFAULT now(), expires timestamptz NOT NULL,
  PRIMARY KEY (tenant, hash), FOREIGN KEY (tenant, person) REFERENCES access_person
);
CREATE TABLE access_audience (
  tenant int NOT NULL, id int GENERATED ALWAYS AS IDENTITY, owner int NOT NULL,
  everyone boolean NOT NULL, persons int[] NOT NULL,
  PRIMARY KEY (tenant, id), UNIQUE (tenant, owner, everyone, persons)
);
CREATE TABLE access_share (
  tenant int NOT NULL, owner int NOT NULL, session text COLLATE "C" NOT NULL, everyone boolean NOT NULL,
  persons int[] NOT NULL, made timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, owner, session)
);
CREATE TABLE access_policy (
  tenant int NOT NULL, project int NOT NULL, everyone boolean NOT NULL DEFAULT false, days int CHECK (days > 0),
  PRIMARY KEY (tenant, project)
);
CREATE TABLE access_hold (
  tenant int NOT NULL, id int GENERATED ALWAYS AS IDENTITY, owner int, project int, session text COLLATE "C",
  reason text NOT NULL, person int NOT NULL, made timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id)
);
CREATE TABLE access_audit (
  tenant int NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(),
  person int NOT NULL, device int, action text NOT NULL, owner int, session text COLLATE "C", detail text,
  PRIMARY KEY (tenant, id)
);
CREATE INDEX access_audit_at ON access_audit (tenant, at);

CREATE FUNCTION dagline_tenant() RETURNS int LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('dagline.tenant', true), '')::int $$;
CREATE FUNCTION dagline_person() RETURNS int LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT nullif(current_setting('dagline.person', true), '')::int $$;
CREATE FUNCTION dagline_audiences() RETURNS int[] LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE
  SET search_path = pg_catalog, public AS $$
  SELECT coalesce(array_agg(audience.id), '{}')
  FROM access_person person JOIN access_audience audience ON audience.tenant = person.tenant
  WHERE person.tenant = dagline_tenant() AND person.id = dagline_person() AND person.disabled IS NULL
    AND (audience.owner = person.id
      OR person.role <> 'auditor' AND (audience.everyone OR person.id = ANY (audience.persons)))
$$;
-- What differs after each change of what a tenant has, and of who may see it.
CREATE FUNCTION dagline_stamp() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public AS $$
  SELECT coalesce(sum(judged), 0) || ' ' || dagline_audiences()::text FROM raw_root WHERE tenant = dagline_tenant()
$$;
REVOKE ALL ON FUNCTION dagline_audiences(), dagline_stamp() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dagline_audiences(), dagline_stamp() TO ${READER_ROLE};
`

/**
 * A change of who may see something takes effect before the judge runs. `pg_temp` comes last: otherwise a temporary table could
 * replace ours in a function with the rights of the owner.
 */
const AT_ONCE = `
CREATE OR REPLACE FUNCTION dagline_stamp() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(sum(changed), 0) || ' ' || coalesce(sum(judged), 0) || ' ' || dagline_audiences()::text
  FROM raw_root WHERE tenant = dagline_tenant()
$$;
ALTER FUNCTION dagline_audiences() SET search_path = pg_catalog, public, pg_temp;
`

/** Tables without texts of transcripts: their schema grants single columns to readers. */
const OPEN_TABLES = `'index_root'`

/** Tables of other parts come and grow: after each change of any, all of them get their policies and rights. */
const POLICIES = `
DO $$
DECLARE
  name text;
  condition text;
BEGIN
  FOR name IN
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND (relname LIKE 'index\\_%' OR relname IN ('raw_file', 'raw_label')) AND NOT relispartition
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('DROP POLICY IF EXISTS dagline_read ON %I', name);
    condition := 'tenant = (SELECT dagline_tenant())';
    IF EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = name::regclass AND attname = 'audience' AND NOT attisdropped) THEN
      condition := condition || ' AND audience = ANY ((SELECT dagline_audiences())::int[])';
    ELSIF name = 'raw_label' THEN
      condition := condition || ' AND EXISTS (SELECT 1 FROM raw_file file WHERE file.tenant = raw_label.tenant'
        || ' AND file.person = raw_label.person AND file.session = raw_label.session'
        || ' AND file.audience = ANY ((SELECT dagline_audiences())::int[]))';
    ELSIF name NOT IN (${OPEN_TABLES}) THEN
      -- Nobody has said who may see its rows: no reader does.
      EXECUTE format('REVOKE ALL ON %I FROM ${READER_ROLE}', name);
      CONTINUE;
    END IF;
    EXECUTE format('CREATE POLICY dagline_read ON %I FOR SELECT TO ${READER_ROLE} USING (%s)', name, condition);
    IF name NOT IN (${OPEN_TABLES}) THEN EXECUTE format('GRANT SELECT ON %I TO ${READER_ROLE}', name); END IF;
  END LOOP;
END $$;
`

/** The part of the tables that says who may see what. */
export const ACCESS_SCHEMA: SchemaPart = { name: 'access', steps: [TABLES, AT_ONCE], rights: POLICIES }
