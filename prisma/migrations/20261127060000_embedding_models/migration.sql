-- The embedding model of a tenant's endpoint; null: the installation's.
ALTER TABLE model_endpoints ADD COLUMN embedding_model text;
