-- A run that blocks the event loop of its runner is counted, and fails instead of blocking every runner in turn.
ALTER TABLE "runs" ADD COLUMN "blocked" INTEGER NOT NULL DEFAULT 0;

-- dispatch_runs: runs of a suspended tenant wait.
-- reserve_model_call, tenant_month: the reservation of a call ends with the time limit of its answer.
-- prisma/functions: 034720948525fd61e22b0f9bd5a3b7bde8659daa6840d268ef3a5b33a361af24
