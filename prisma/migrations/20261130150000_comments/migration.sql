-- What people say about a text, in threads. A comment names its words, so that it is found in later versions.
CREATE TABLE comments (
  id          text PRIMARY KEY,
  tenant_id   text NOT NULL,
  session_id  text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  "of"        text NOT NULL,
  chapter_id  text REFERENCES book_chapters (id) ON DELETE CASCADE ON UPDATE CASCADE,
  reply_to    text REFERENCES comments (id) ON DELETE CASCADE ON UPDATE CASCADE,
  quote       text NOT NULL,
  start       integer NOT NULL,
  text        text NOT NULL,
  author      text NOT NULL,
  api_key_id  text NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  resolved_at timestamptz(3)
);
CREATE INDEX comments_session_id_created_at_id_idx ON comments (session_id, created_at DESC, id DESC);
CREATE INDEX comments_chapter_id_idx ON comments (chapter_id);
CREATE INDEX comments_reply_to_idx ON comments (reply_to);
CREATE INDEX comments_tenant_id_idx ON comments (tenant_id);
SELECT protect_tenant_table('comments');
