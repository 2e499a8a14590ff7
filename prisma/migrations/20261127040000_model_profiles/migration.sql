-- What is known about a model of an endpoint: the requests that the server accepts, and what the model can do. Without a tenant, the
-- endpoint is the installation's.
CREATE TABLE model_profiles (
  endpoint   text NOT NULL,
  model      text NOT NULL,
  tenant_id  text REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  profile    jsonb NOT NULL,
  checked_at timestamptz(3),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint, model)
);
CREATE INDEX model_profiles_tenant_id_idx ON model_profiles (tenant_id);
SELECT protect_tenant_table('model_profiles');
