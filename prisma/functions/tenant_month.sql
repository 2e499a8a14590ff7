-- What a tenant has spent in the current month (UTC), and what its calls in flight may still cost. Reservations of runs that
-- have ended do not count, nor do those of calls that must have ended (see `reserve_model_call`).
CREATE OR REPLACE FUNCTION "tenant_month"("p_tenant_id" TEXT)
RETURNS TABLE ("spent_tokens" BIGINT, "spent_cost" BIGINT, "reserved_tokens" BIGINT, "reserved_cost" BIGINT)
LANGUAGE sql STABLE AS $$
  SELECT calls.tokens, calls.cost, held.tokens, held.cost
  FROM (SELECT coalesce(sum(input_tokens::bigint + output_tokens), 0)::bigint AS tokens, coalesce(sum(cost), 0)::bigint AS cost
        FROM model_calls
        WHERE tenant_id = p_tenant_id
          AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') calls,
       (SELECT coalesce(sum(m.tokens), 0)::bigint AS tokens, coalesce(sum(m.cost), 0)::bigint AS cost
        FROM model_reservations m JOIN runs r ON r.id = m.run_id
        WHERE m.tenant_id = p_tenant_id AND r.status IN ('queued', 'running', 'waiting')
          AND m.created_at > now() - interval '35 minutes') held
$$;
