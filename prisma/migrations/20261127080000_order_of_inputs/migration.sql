-- The place of an input in the order that a person chose; null: after those, in natural order of the names.
ALTER TABLE session_files ADD COLUMN position integer;
