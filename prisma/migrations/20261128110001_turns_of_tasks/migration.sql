-- Tenants share each worker queue by tasks and bytes: the function task_turns gives each task its turn.
ALTER TABLE tasks ADD COLUMN turn double precision, ADD COLUMN cost double precision;
CREATE INDEX tasks_turn ON tasks (queue, turn) WHERE status = 'pending' AND turn IS NOT NULL;
-- prisma/functions: 4a06ebf96c155a11f2ec05719a19409e9e778e2c285a60d85cdc020af8356892
