-- A run that blocks the event loop of its runner is counted, and fails instead of blocking every runner in turn.
ALTER TABLE "runs" ADD COLUMN "blocked" INTEGER NOT NULL DEFAULT 0;

-- dispatch_runs: runs of a suspended tenant wait.
-- prisma/functions: 92b2e69ea56aa49f521681143253d33c19a7fc8c4253377f820036e047382875
