-- Gateways keep API keys for a few seconds; they forget them when a key or a tenant changes, whoever changes it.
CREATE FUNCTION announce_access() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('scriptorium_access', '');
  RETURN NULL;
END $$;
CREATE TRIGGER announce_access AFTER UPDATE OF hash, name, scopes, revoked_at, expires_at OR DELETE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_access();
CREATE TRIGGER announce_access AFTER UPDATE OF suspended_at, requests_per_minute OR DELETE ON tenants
  FOR EACH STATEMENT EXECUTE FUNCTION announce_access();
-- prisma/functions: 4988d0a786425cf5187e21d0de077d5c2c1732ecbcc6eeb355563a285720e50e
