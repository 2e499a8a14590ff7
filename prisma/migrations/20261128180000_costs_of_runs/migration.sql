-- Tokens after which a run without a budget of its own asks a person; null for runs of older releases, which do not ask.
-- The key that started the run, so that costs can be listed by key; null for older runs and for runs of the service.
ALTER TABLE "runs" ADD COLUMN "default_max_tokens" BIGINT, ADD COLUMN "api_key_id" TEXT;

-- Parts of input_tokens that were read from and written to the provider's cache, and of output_tokens that were reasoning.
ALTER TABLE "model_calls" ADD COLUMN "cached_tokens" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "cache_write_tokens" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "reasoning_tokens" INTEGER NOT NULL DEFAULT 0;
