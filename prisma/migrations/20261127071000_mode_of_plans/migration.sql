-- Plans have a mode, so that runs that only suggest a plan can be left out of lists of plans.
UPDATE runs SET mode = CASE WHEN inputs->'config'->'plan_only' = 'true'::jsonb THEN 'suggest' ELSE 'run' END
WHERE kind = 'plan' AND mode IS NULL;
