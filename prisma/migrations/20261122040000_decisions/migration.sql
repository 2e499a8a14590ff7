-- Who may answer a question and how many have to agree; how often a task was begun and nothing more was heard of it.
ALTER TABLE "tasks"
    ADD COLUMN "assignee" TEXT,
    ADD COLUMN "quorum" INTEGER NOT NULL DEFAULT 1,
    ADD COLUMN "unfinished" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "decision_votes" (
    "decision_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "voted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "decision_votes_pkey" PRIMARY KEY ("decision_id", "api_key_id"),
    CONSTRAINT "decision_votes_decision_id_fkey" FOREIGN KEY ("decision_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "early_answers" (
    "id" TEXT NOT NULL,
    "tenant_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "decision_type" TEXT NOT NULL,
    "ref" TEXT,
    "answer" JSONB NOT NULL,
    "answered_by" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "decision_id" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "early_answers_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "early_answers_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "early_answers_run_id_idx" ON "early_answers" ("run_id");
-- One answer for a kind of question, or for one reference, in a run.
CREATE UNIQUE INDEX "early_answers_one_per_question" ON "early_answers" ("run_id", "decision_type", md5(coalesce("ref", '')))
  WHERE "status" <> 'not_applicable';

-- What a decision's entry says besides: the answer and its hash.
ALTER TABLE "audit_log" ADD COLUMN "details" JSONB;

-- When a run was taken back: nothing that it did to its session counts from then on.
ALTER TABLE "runs" ADD COLUMN "rolled_back_at" TIMESTAMPTZ(3);
CREATE INDEX "runs_rolled_back" ON "runs" ("session_id") WHERE "rolled_back_at" IS NOT NULL;

-- What the ids are derived from that a request makes: the same when it is done again after its process died.
ALTER TABLE "idempotency_keys" ADD COLUMN "seed" TEXT NOT NULL DEFAULT gen_random_uuid()::text;
