-- Schedules that events start: a firing has the identity of its event as key. Below, the triggers that fire on new files.
-- prisma/functions: 7bea455efc0b598657043a8e72acd951e500061d4e0f62054508396413f97574
ALTER TABLE schedules ADD COLUMN source jsonb, ADD COLUMN secret text;
ALTER TABLE schedule_firings ADD COLUMN key text NOT NULL DEFAULT '',
  DROP CONSTRAINT schedule_firings_pkey, ADD PRIMARY KEY (schedule_id, planned_at, key);
CREATE UNIQUE INDEX schedule_firings_event_key ON schedule_firings (schedule_id, key) WHERE key <> '';

-- Adds a firing for each trigger that waits for a file in the session or collection, in the transaction that adds the file. The
-- hash and the name identify the file. One of a collection waits until the source is indexed, also after a failed attempt.
CREATE OR REPLACE FUNCTION fire_on_new_file() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place CONSTANT text := CASE TG_TABLE_NAME WHEN 'session_files' THEN 'session_id' ELSE 'collection_id' END;
  file CONSTANT jsonb := to_jsonb(NEW);
  file_key CONSTANT text := encode(sha256(convert_to(NEW.sha256 || '/' || NEW.name, 'UTF8')), 'hex');
BEGIN
  IF TG_OP = 'INSERT' OR NEW.sha256 <> OLD.sha256 THEN
    INSERT INTO schedule_firings (schedule_id, planned_at, key, tenant_id, status, event)
      SELECT id, date_trunc('milliseconds', clock_timestamp()), file_key, tenant_id,
        CASE place WHEN 'session_id' THEN 'due' ELSE 'waiting' END,
        jsonb_strip_nulls(jsonb_build_object('id', NEW.id, 'name', NEW.name, 'sha256', NEW.sha256, place, file -> place,
          'file', CASE place WHEN 'session_id' THEN NEW.name END))
      FROM schedules
      WHERE tenant_id = NEW.tenant_id AND paused_at IS NULL AND source -> 'new_file' -> place = file -> place
      ON CONFLICT DO NOTHING;
  END IF;
  IF file ->> 'state' IN ('ready', 'failed') THEN
    UPDATE schedule_firings f SET status = CASE file ->> 'state' WHEN 'ready' THEN 'due' ELSE 'failed' END,
        problem = CASE file ->> 'state' WHEN 'failed' THEN jsonb_build_object(
          'code', 'source_unreadable', 'message', coalesce(file ->> 'problem', ''), 'phrase', file -> 'problem_phrase') END
      FROM schedules s
      WHERE s.id = f.schedule_id AND s.tenant_id = NEW.tenant_id AND s.source -> 'new_file' -> place = file -> place
        AND f.key = file_key
        AND (f.status = 'waiting' OR f.status = 'failed' AND f.problem ->> 'code' = 'source_unreadable');
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER fire_on_new_input AFTER INSERT OR UPDATE OF sha256 ON session_files FOR EACH ROW
  WHEN (NEW.folder = 'inputs') EXECUTE FUNCTION fire_on_new_file();
CREATE TRIGGER fire_on_new_source AFTER INSERT ON knowledge_sources FOR EACH ROW EXECUTE FUNCTION fire_on_new_file();
CREATE TRIGGER fire_on_changed_source AFTER UPDATE ON knowledge_sources FOR EACH ROW
  WHEN (OLD.sha256 <> NEW.sha256 OR OLD.state <> NEW.state) EXECUTE FUNCTION fire_on_new_file();
