-- Runs for platforms and exports stored that the session has no article, report or corrected version, which hid those of earlier runs.
DELETE FROM session_results s USING runs r
WHERE r.id = s.run_id AND r.kind = 'article' AND r.mode IN ('repurpose', 'export') AND s.object_key IS NULL;
