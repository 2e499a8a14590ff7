-- The check at the first use of a model, which is made once, and why the last check failed.
ALTER TABLE model_profiles ADD COLUMN first_check_at timestamptz(3), ADD COLUMN check_failed text;
