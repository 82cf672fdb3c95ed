/**
 * The tables of raw bytes:
 *
 *     machine ──< file ──< version ──< run >── block     the bytes of a version are those of its runs, one after another
 *     project ──<                              piece     where the pieces of one person are, by hash
 *
 *     root     what the judge has to look at: a person is a root
 *     gone     sessions that were deleted: they are not taken again
 *     label    names, tags and notes that people gave to their sessions, by machine
 *
 * Pieces are shared within one person only: otherwise asking for a hash would tell what others have.
 */
import { hashPartitions, type SchemaPart } from './migrate.js'

/** Few enough for a laptop, and enough for several disks. */
const PARTITIONS = 16

const RAW_TABLES = `
CREATE TABLE raw_hub (uuid uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO raw_hub DEFAULT VALUES;
CREATE TABLE raw_machine (
  tenant int NOT NULL, id int GENERATED ALWAYS AS IDENTITY, person int NOT NULL, uuid text NOT NULL,
  name text NOT NULL, platform text NOT NULL, changes bigint NOT NULL DEFAULT 0, seen timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id), UNIQUE (tenant, person, uuid), UNIQUE (tenant, person, name)
);
CREATE TABLE raw_project (
  tenant int NOT NULL, id int GENERATED ALWAYS AS IDENTITY, person int NOT NULL, name text NOT NULL,
  PRIMARY KEY (tenant, id), UNIQUE (tenant, person, name)
);
CREATE TABLE raw_file (
  tenant int NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, person int NOT NULL, machine int NOT NULL,
  project int NOT NULL, path text COLLATE "C" NOT NULL, place text COLLATE "C" NOT NULL, kind text NOT NULL,
  session text COLLATE "C", audience int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, id), UNIQUE (tenant, person, path)
);
CREATE INDEX raw_file_machine ON raw_file (tenant, machine, place);
CREATE INDEX raw_file_session ON raw_file (tenant, person, session);
CREATE TABLE raw_version (
  tenant int NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, file bigint NOT NULL, number int NOT NULL,
  bytes bigint NOT NULL, mtime double precision NOT NULL, taken double precision NOT NULL, chain bytea NOT NULL,
  original_bytes bigint NOT NULL, original_sha256 bytea NOT NULL, redacted text,
  PRIMARY KEY (tenant, id), UNIQUE (tenant, file, number)
);
CREATE TABLE raw_run (
  tenant int NOT NULL, version bigint NOT NULL, position bigint NOT NULL, block bigint NOT NULL,
  start int NOT NULL, length int NOT NULL,
  PRIMARY KEY (tenant, version, position)
);
CREATE INDEX raw_run_block ON raw_run (tenant, block);
CREATE SEQUENCE raw_block_id AS bigint;
CREATE TABLE raw_block (
  tenant int NOT NULL, id bigint NOT NULL, person int NOT NULL, codec text NOT NULL, bytes int NOT NULL,
  hash bytea NOT NULL, taken timestamptz NOT NULL DEFAULT now(), data bytea NOT NULL,
  PRIMARY KEY (tenant, id)
) PARTITION BY HASH (tenant, id);
CREATE TABLE raw_piece (
  tenant int NOT NULL, person int NOT NULL, hash bytea NOT NULL, block bigint NOT NULL, start int NOT NULL,
  length int NOT NULL,
  PRIMARY KEY (tenant, person, hash)
) PARTITION BY HASH (tenant, person, hash);
CREATE TABLE raw_root (
  tenant int NOT NULL, person int NOT NULL, changed bigint NOT NULL DEFAULT 0, judged bigint NOT NULL DEFAULT 0,
  open_block bigint, PRIMARY KEY (tenant, person)
);
CREATE TABLE raw_gone (
  tenant int NOT NULL, person int NOT NULL, session text COLLATE "C" NOT NULL, since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, person, session)
);
${hashPartitions('raw_block', PARTITIONS)}
ALTER TABLE raw_block ALTER COLUMN data SET STORAGE EXTERNAL;
${hashPartitions('raw_piece', PARTITIONS)}`

/** HU80: who sees the session of a label sees the label. */
const LABELS = `
CREATE TABLE raw_label (
  tenant int NOT NULL, person int NOT NULL, machine int NOT NULL, id text COLLATE "C" NOT NULL,
  session text COLLATE "C" NOT NULL, kind text NOT NULL, name text, tags text[] NOT NULL, note text,
  taken timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, person, machine, id)
);
CREATE INDEX raw_label_session ON raw_label (tenant, person, session);`

/** The part of the tables that holds raw bytes. */
export const RAW_SCHEMA: SchemaPart = { name: 'raw', steps: [RAW_TABLES, LABELS] }
