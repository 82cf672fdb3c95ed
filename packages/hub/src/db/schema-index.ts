import { hashPartitions, READER_ROLE, type SchemaPart } from './migrate.js'

/**
 * The tables of the index, as packages/store/src/db/schema.ts has them for one user: facts say what the bytes of a file say, verdicts
 * what the graph says of them. Every key begins with the tenant. `audience` says who may see a row; that of nobody is 0.
 *
 * Tables that grow with transcripts are hash-partitioned by tenant: each question names one tenant, so that one partition answers,
 * and a large tenant can be given a server of its own, because nothing refers from one tenant to another. They are not
 * partitioned by time: a graph, a list and the verdict on an entry look at a file of whatever age, and a search
 * for rare words needs one look-up in one GIN index instead of one for each month. A tenant of more than some hundred million
 * texts should have `index_text` partitioned once more, by month of `time`: only then are searches for frequent words, which
 * stop at the newest, kept short, and old months can be moved to slower disks.
 *
 * Texts of transcripts may hold what PostgreSQL's `text` cannot: cells.ts says how they are kept. Columns are compared by bytes (`C`),
 * as SQLite does. `time` is milliseconds; -Infinity where there is none, so that these come last.
 */
const TABLES = `
CREATE TABLE index_root (
  tenant int NOT NULL, id int NOT NULL, path text COLLATE "C" NOT NULL, listing text COLLATE "C", filling boolean NOT NULL,
  PRIMARY KEY (tenant, id), UNIQUE (tenant, path)
);
CREATE TABLE index_file (
  tenant int NOT NULL, id bigint NOT NULL, audience int NOT NULL, root int NOT NULL, path text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL, session text COLLATE "C", facts text NOT NULL, state text, diagnostics text NOT NULL,
  bytes bigint NOT NULL, archived boolean NOT NULL, file_group bigint, PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX index_file_path ON index_file (tenant, root, md5(path));
CREATE INDEX index_file_group ON index_file (tenant, file_group);
CREATE SEQUENCE index_file_id;

CREATE TABLE index_chunk (
  tenant int NOT NULL, audience int NOT NULL, file bigint NOT NULL, row int NOT NULL, node int NOT NULL, rows text NOT NULL
) PARTITION BY HASH (tenant);
CREATE INDEX index_chunk_file ON index_chunk (tenant, file, row);
CREATE TABLE index_node (
  tenant int NOT NULL, audience int NOT NULL, id bigint NOT NULL, uuid text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, id)
) PARTITION BY HASH (tenant);
CREATE INDEX index_node_uuid ON index_node (tenant, uuid);
CREATE TABLE index_link_key (
  tenant int NOT NULL, audience int NOT NULL, key text COLLATE "C" NOT NULL, file bigint NOT NULL, PRIMARY KEY (tenant, key, file)
) PARTITION BY HASH (tenant);
CREATE INDEX index_link_key_file ON index_link_key (tenant, file);
CREATE TABLE index_message (
  tenant int NOT NULL, audience int NOT NULL, node bigint NOT NULL, id text COLLATE "C" NOT NULL, version text, time float8,
  usage text NOT NULL
) PARTITION BY HASH (tenant);
CREATE INDEX index_message_node ON index_message (tenant, node);
CREATE TABLE index_call (
  tenant int NOT NULL, audience int NOT NULL, node bigint NOT NULL, id text COLLATE "C" NOT NULL, name text NOT NULL
) PARTITION BY HASH (tenant);
CREATE INDEX index_call_node ON index_call (tenant, node);
CREATE TABLE index_touched (
  tenant int NOT NULL, audience int NOT NULL, node bigint NOT NULL, path text COLLATE "C" NOT NULL, tool text NOT NULL
) PARTITION BY HASH (tenant);
CREATE INDEX index_touched_node ON index_touched (tenant, node);

-- words: the folded words in their order, between spaces. long: one of them is longer than its lexeme (index_terms).
CREATE TABLE index_text (
  tenant int NOT NULL, audience int NOT NULL, id bigint NOT NULL, file bigint NOT NULL, row int NOT NULL, at bigint NOT NULL,
  length int NOT NULL, node bigint, time float8 NOT NULL, field smallint NOT NULL, tool text COLLATE "C", failed boolean NOT NULL,
  long boolean NOT NULL, words text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, id)
) PARTITION BY HASH (tenant);
CREATE SEQUENCE index_text_id INCREMENT 1000;
CREATE INDEX index_text_file ON index_text (tenant, file, row, id);
CREATE INDEX index_text_time ON index_text (tenant, time DESC, id DESC);

CREATE TABLE index_verdict (
  tenant int NOT NULL, audience int NOT NULL, first bigint NOT NULL, last bigint NOT NULL, owner bigint NOT NULL, line bigint,
  live smallint NOT NULL, compacted int NOT NULL, PRIMARY KEY (tenant, first)
) PARTITION BY HASH (tenant);
CREATE TABLE index_line (
  tenant int NOT NULL, audience int NOT NULL, id bigint NOT NULL, file_group bigint NOT NULL, name text COLLATE "C" NOT NULL,
  kind text NOT NULL, status text NOT NULL, session text COLLATE "C" NOT NULL, agent text COLLATE "C",
  agent_name text COLLATE "C", branch text COLLATE "C" NOT NULL, branch_status text COLLATE "C" NOT NULL, PRIMARY KEY (tenant, id)
) PARTITION BY HASH (tenant);
CREATE INDEX index_line_group ON index_line (tenant, file_group);
CREATE SEQUENCE index_line_id;
CREATE TABLE index_session (
  tenant int NOT NULL, audience int NOT NULL, root int NOT NULL, file_group bigint NOT NULL, id text COLLATE "C" NOT NULL,
  project text COLLATE "C" NOT NULL, last float8 NOT NULL, figures text NOT NULL
) PARTITION BY HASH (tenant);
CREATE INDEX index_session_group ON index_session (tenant, file_group);
CREATE INDEX index_session_root ON index_session (tenant, root, last DESC);
CREATE INDEX index_session_last ON index_session (tenant, audience, last DESC);
-- What the graph says of a group, a row for each audience of its files: a session that is shared may have copies in one that is not.
CREATE TABLE index_group (
  tenant int NOT NULL, audience int NOT NULL, id bigint NOT NULL, root int NOT NULL, queue text NOT NULL, diagnostics text NOT NULL,
  agents text NOT NULL, branches text NOT NULL, PRIMARY KEY (tenant, id, audience)
) PARTITION BY HASH (tenant);
CREATE INDEX index_group_root ON index_group (tenant, root);
CREATE TABLE index_undelivered (
  tenant int NOT NULL, audience int NOT NULL, file bigint NOT NULL, row int NOT NULL, file_group bigint NOT NULL,
  PRIMARY KEY (tenant, file, row)
);
CREATE INDEX index_undelivered_group ON index_undelivered (tenant, file_group);
CREATE TABLE index_answer (
  tenant int NOT NULL, audience int NOT NULL, file_group bigint NOT NULL, kind text NOT NULL, part text COLLATE "C" NOT NULL,
  basis text NOT NULL, value text NOT NULL, PRIMARY KEY (tenant, file_group, kind, part)
);
-- Only writers read it: it holds sums over sessions of several audiences.
CREATE TABLE index_root_answer (
  tenant int NOT NULL, root int NOT NULL, kind text NOT NULL, basis text NOT NULL, value text NOT NULL,
  PRIMARY KEY (tenant, root, kind)
);
`

/** Tables with an audience. */
const AUDIENCE_TABLES = [
  ...TABLES.matchAll(
    /CREATE TABLE (index_\w+) \(\n {2}tenant int NOT NULL, (?:id bigint NOT NULL, )?audience/g,
  ),
].map(([, name = '']) => name)

const PARTITIONED = [...TABLES.matchAll(/CREATE TABLE (\w+) \([^;]*PARTITION BY HASH/g)].map(
  ([, name = '']) => name,
)

/** Each partition can move to a server of its own. */
const PARTITIONS = 8

const MAKE_PARTITIONS = PARTITIONED.map(table => hashPartitions(table, PARTITIONS)).join('\n')

/** Characters of a lexeme: PostgreSQL takes 2,046 bytes. What is behind them is compared with the words themselves. */
export const LEXEME_LENGTH = 200

/**
 * The lexemes of a text: its tenant and each of its words. So the words of another tenant are never looked at. Without positions, because
 * PostgreSQL keeps them up to 16,383 only: phrases are compared with the words.
 */
const TERMS = `
CREATE FUNCTION index_terms(tenant int, words text, long boolean) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN words = '' THEN ''::tsvector ELSE array_to_tsvector(string_to_array(
    tenant || ':' || replace(btrim(CASE WHEN long
      THEN regexp_replace(words, '([^ ]{${LEXEME_LENGTH}})[^ ]+', '\\1', 'g') ELSE words END), ' ', ' ' || tenant || ':'), ' ')) END
$$;
-- Lexemes of new texts wait in a list, at most 4 MB of it, which each search reads: writers empty it when they commit. Adding those of
-- each text by itself takes four times the time.
CREATE INDEX index_text_words ON index_text USING gin (index_terms(tenant, words, long)) WITH (fastupdate = on, gin_pending_list_limit = 4096);
`

/**
 * HU5: under row-level security PostgreSQL looks at \`@@\` only after the policies, and so never in the index: it cannot know that the operator
 * keeps secrets to itself. This function looks into the index with the rights of the owner, and returns numbers of
 * texts of the reader's own tenant and audiences only.
 */
const MATCH = `
CREATE FUNCTION index_match(query tsquery, since float8, before float8, order_by text, most bigint)
RETURNS SETOF bigint LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public SET plan_cache_mode = force_custom_plan
ROWS 1000 AS $$
DECLARE
  mine int := current_setting('dagline.tenant')::int;
  seen int[] := dagline_audiences();
BEGIN
  IF order_by = 'time' THEN RETURN QUERY
    SELECT t.id FROM index_text t WHERE t.tenant = mine AND t.audience = ANY (seen)
      AND index_terms(t.tenant, t.words, t.long) @@ query AND t.time >= since AND t.time < before
      ORDER BY t.time DESC, t.id DESC LIMIT most;
  ELSIF order_by = 'rank' THEN RETURN QUERY
    SELECT t.id FROM index_text t WHERE t.tenant = mine AND t.audience = ANY (seen)
      AND index_terms(t.tenant, t.words, t.long) @@ query AND t.time >= since AND t.time < before
      ORDER BY CASE WHEN t.field >= 5 THEN 2 WHEN t.field >= 3 THEN 1 ELSE 0 END, t.time DESC, t.id DESC LIMIT most;
  ELSE RETURN QUERY
    SELECT t.id FROM index_text t WHERE t.tenant = mine AND t.audience = ANY (seen)
      AND index_terms(t.tenant, t.words, t.long) @@ query AND t.time >= since AND t.time < before;
  END IF;
END $$;
REVOKE ALL ON FUNCTION index_match FROM PUBLIC;
`

/** `pg_temp` comes last: otherwise a temporary table could replace ours. */
const OWN_TABLES = `
ALTER FUNCTION index_match(tsquery, float8, float8, text, bigint) SET search_path = pg_catalog, public, pg_temp;
`

/** Readers see what their policies let through, and of roots only their names. */
const RIGHTS = `
GRANT SELECT ON ${AUDIENCE_TABLES.join(', ')} TO ${READER_ROLE};
GRANT SELECT (tenant, id, path) ON index_root TO ${READER_ROLE};
GRANT EXECUTE ON FUNCTION index_match TO ${READER_ROLE};
`

/** The tables of the index. */
export const INDEX_SCHEMA: SchemaPart = {
  name: 'index',
  steps: [TABLES + MAKE_PARTITIONS + TERMS + MATCH, OWN_TABLES],
  rights: RIGHTS,
}
