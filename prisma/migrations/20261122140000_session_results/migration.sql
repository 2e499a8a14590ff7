-- What the runs of a session have brought forth, by kind and name: a run of one kind does not hide what another has made.
CREATE TABLE session_results (
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  tenant_id  text NOT NULL,
  kind       text NOT NULL,
  name       text NOT NULL,
  run_id     text NOT NULL,
  object_key text,
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (session_id, kind, name, run_id)
);
CREATE INDEX session_results_run_id_idx ON session_results (run_id);
SELECT protect_tenant_table('session_results');

-- Until now the pointers stood in `runs.summary`, with the progress beside them. A runner of the release before goes on to write
-- them there for as long as it runs, so a trigger moves them.
CREATE FUNCTION move_old_summary() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  old jsonb := NEW.summary - ARRAY['phase', 'label', 'done', 'total', 'details'];
BEGIN
  INSERT INTO session_results (session_id, tenant_id, kind, name, run_id, object_key)
  VALUES (NEW.session_id, NEW.tenant_id, NEW.kind, 'manuscript', NEW.id, old->>'temp_md_path'),
         (NEW.session_id, NEW.tenant_id, NEW.kind, 'ledger', NEW.id, old->>'ledger_path')
  ON CONFLICT (session_id, kind, name, run_id) DO UPDATE SET object_key = EXCLUDED.object_key;
  NEW.summary := jsonb_build_object('phase', old->'status', 'label', old->'status', 'done', NULL, 'total', NULL, 'details', old);
  RETURN NEW;
END $$;
CREATE TRIGGER runs_old_summary BEFORE INSERT OR UPDATE OF summary ON runs
  FOR EACH ROW WHEN (NEW.summary ? 'temp_md_path') EXECUTE FUNCTION move_old_summary();

-- Runs that are there already.
UPDATE runs SET summary = summary WHERE summary ? 'temp_md_path';
