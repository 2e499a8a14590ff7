-- Whether a tenant has a place left in the express lane.
CREATE OR REPLACE FUNCTION "express_free"("p_tenant_id" TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT (SELECT count(*) FROM runs WHERE tenant_id = p_tenant_id AND express AND status IN ('queued', 'running', 'waiting'))
       < (SELECT weight FROM tenants WHERE id = p_tenant_id)
$$;
