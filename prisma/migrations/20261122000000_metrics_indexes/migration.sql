-- What ended, and what the model cost, since the metrics were last read.
CREATE INDEX "runs_finished_at_idx" ON "runs"("finished_at");
CREATE INDEX "model_calls_created_at_idx" ON "model_calls"("created_at");
