-- The model endpoint of a tenant that does not use the installation's. Its key is sealed.
CREATE TABLE model_endpoints (
  tenant_id      text PRIMARY KEY REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  base_url       text NOT NULL,
  api_key        text,
  model          text NOT NULL,
  fast_model     text,
  context_tokens integer,
  prices         jsonb NOT NULL DEFAULT '{}',
  updated_at     timestamptz(3) NOT NULL DEFAULT now()
);
SELECT protect_tenant_table('model_endpoints');
