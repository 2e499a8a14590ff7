-- A source may be the copy of a page; the copies that a run makes belong to its session and are deleted with it.
ALTER TABLE knowledge_sources
  ADD COLUMN url        text,
  ADD COLUMN published  text,
  ADD COLUMN fetched_at timestamptz(3);
ALTER TABLE knowledge_collections
  ADD COLUMN session_id text REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX knowledge_collections_session_id_idx ON knowledge_collections (session_id);

-- Like `protect_tenant_table`, except that most collections belong to no session.
DROP POLICY own_rows ON knowledge_collections;
CREATE POLICY own_rows ON knowledge_collections TO scriptorium_tenant
  USING (tenant_id = (SELECT current_setting('scriptorium.tenant', true)))
  WITH CHECK (
    tenant_id = (SELECT current_setting('scriptorium.tenant', true))
    AND (session_id IS NULL OR EXISTS (SELECT 1 FROM sessions parent WHERE parent.id = knowledge_collections.session_id)));
