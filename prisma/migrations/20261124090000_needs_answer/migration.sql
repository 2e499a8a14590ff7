-- Clients see a run that waits for a person as `needs_answer`, and one that waits for a worker as `running`. `runs.status` and the events keep
-- `waiting` for both (libs/db/shown-status.ts), so that no large table changes. Webhooks that asked for `waiting` get `needs_answer`.
UPDATE webhooks SET events = array_replace(events, 'waiting', 'needs_answer') WHERE 'waiting' = ANY (events);

-- That a run waits for a worker is no longer delivered.
DELETE FROM webhook_deliveries d USING run_events e
WHERE d.event = 'waiting' AND e.run_id = d.run_id AND e.seq = d.seq AND NOT e.data->'waiting_for' @> '[{"task":"human_input"}]';
UPDATE webhook_deliveries
SET run_status = 'needs_answer', event = CASE event WHEN 'waiting' THEN 'needs_answer' ELSE event END
WHERE run_status = 'waiting';
