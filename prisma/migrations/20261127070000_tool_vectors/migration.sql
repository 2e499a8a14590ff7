-- Vectors of the texts by which tools are found, computed once for each text and model: floats of 4 bytes, of unit length.
CREATE TABLE tool_vectors (
  tenant_id   text NOT NULL REFERENCES tenants (id) ON DELETE CASCADE ON UPDATE CASCADE,
  model       text NOT NULL,
  text_sha256 text NOT NULL,
  vector      bytea NOT NULL,
  PRIMARY KEY (tenant_id, model, text_sha256)
);
SELECT protect_tenant_table('tool_vectors');
