-- The articles that were approved: a new topic is compared with theirs.
CREATE TABLE article_log (
  id         text PRIMARY KEY,
  tenant_id  text NOT NULL,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  run_id     text NOT NULL UNIQUE,
  topic      text NOT NULL,
  keywords   text[] NOT NULL DEFAULT '{}',
  mode       text NOT NULL,
  word_count integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX article_log_session_id_idx ON article_log (session_id);
CREATE INDEX article_log_tenant_id_created_at_idx ON article_log (tenant_id, created_at DESC);
SELECT protect_tenant_table('article_log');
