-- What a run has spent, with its children. An active child counts with its whole budget, or with what it has spent if that is more.
CREATE OR REPLACE FUNCTION run_spending(p_run_id text, OUT tokens bigint, OUT cost bigint) LANGUAGE plpgsql STABLE AS $$
DECLARE
  child RECORD;
  inner_spending RECORD;
BEGIN
  SELECT coalesce(sum(c.input_tokens::bigint + c.output_tokens), 0)::bigint, coalesce(sum(c.cost), 0)::bigint
    INTO tokens, cost FROM model_calls c WHERE c.run_id = p_run_id;
  FOR child IN SELECT id, max_tokens, max_cost, status FROM runs WHERE parent_run_id = p_run_id LOOP
    SELECT * INTO inner_spending FROM run_spending(child.id);
    IF child.status IN ('queued', 'running', 'waiting') THEN
      tokens := tokens + greatest(inner_spending.tokens, coalesce(child.max_tokens, 0));
      cost := cost + greatest(inner_spending.cost, coalesce(child.max_cost, 0));
    ELSE
      tokens := tokens + inner_spending.tokens;
      cost := cost + inner_spending.cost;
    END IF;
  END LOOP;
END $$;
