-- Deletes the collections of a book with the book, whether its project, its session or its tenant was deleted.
CREATE OR REPLACE FUNCTION delete_collections_of_book() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO purges (prefix)
    SELECT 'tenants/' || tenant_id || '/knowledge/' || id || '/' FROM knowledge_collections
    WHERE project_id = OLD.id AND tenant_id = OLD.tenant_id
    ON CONFLICT DO NOTHING;
  DELETE FROM knowledge_collections WHERE project_id = OLD.id AND tenant_id = OLD.tenant_id;
  RETURN OLD;
END $$;
