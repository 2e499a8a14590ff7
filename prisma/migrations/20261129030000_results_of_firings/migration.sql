-- Firings that read the pages of a collection again: what a call asked for, and what was found so far.
ALTER TABLE schedule_firings ADD COLUMN event jsonb, ADD COLUMN result jsonb;
