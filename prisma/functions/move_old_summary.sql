-- Converts `runs.summary` as an earlier release wrote it: moves its object keys to session_results and its progress to `details`.
CREATE OR REPLACE FUNCTION move_old_summary() RETURNS trigger LANGUAGE plpgsql AS $$
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
