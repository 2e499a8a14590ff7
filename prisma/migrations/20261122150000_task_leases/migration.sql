-- Until when a worker holds a task, by the clock of the database; the queue's own locks go by the clocks of workers.
ALTER TABLE "tasks" ADD COLUMN "lease_until" TIMESTAMPTZ(3);
