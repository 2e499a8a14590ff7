-- What a bibliography says about a source: fields that people set, and those that its file states.
ALTER TABLE knowledge_sources ADD COLUMN reference jsonb, ADD COLUMN file_reference jsonb;
