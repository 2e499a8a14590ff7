-- What a book knows and what its chapters have told goes with the book, however that is deleted: with its project, its session or by hand.
CREATE FUNCTION delete_collections_of_book() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO purges (prefix)
    SELECT 'tenants/' || tenant_id || '/knowledge/' || id || '/' FROM knowledge_collections
    WHERE project_id = OLD.id AND tenant_id = OLD.tenant_id
    ON CONFLICT DO NOTHING;
  DELETE FROM knowledge_collections WHERE project_id = OLD.id AND tenant_id = OLD.tenant_id;
  RETURN OLD;
END $$;

CREATE TRIGGER collections_of_book AFTER DELETE ON book_projects
  FOR EACH ROW EXECUTE FUNCTION delete_collections_of_book();
