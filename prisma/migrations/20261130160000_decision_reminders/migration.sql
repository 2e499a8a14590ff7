-- When people were reminded of a decision before its deadline; null before that. Added without rewriting the table.
ALTER TABLE tasks ADD COLUMN reminded_at timestamptz(3);
