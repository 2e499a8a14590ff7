-- Changes that models and style rules propose are proposals too, with their reason and evidence. `context` are the words
-- around the span, from `context_start` on; null if they are read from `base`.
ALTER TABLE proposals
  ADD COLUMN origin        text NOT NULL DEFAULT 'reviewer',
  ADD COLUMN reason        text,
  ADD COLUMN evidence      jsonb,
  ADD COLUMN context       text,
  ADD COLUMN context_start integer;
CREATE INDEX proposals_tenant_id_session_id_run_id_number_idx ON proposals (tenant_id, session_id, run_id, number);
