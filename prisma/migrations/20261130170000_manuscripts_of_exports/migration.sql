-- SHA-256 of the manuscript that a Word file shows, by which a returned file finds its work; null for older files. Added without rewriting the table.
ALTER TABLE exports ADD COLUMN manuscript text;
CREATE INDEX exports_tenant_id_manuscript_idx ON exports (tenant_id, manuscript) WHERE manuscript IS NOT NULL;
