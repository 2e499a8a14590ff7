-- Code and parameters of a source's problem; null for texts from elsewhere, and for problems of older releases.
ALTER TABLE knowledge_sources ADD COLUMN problem_phrase jsonb;
