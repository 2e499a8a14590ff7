-- Trigrams lead to the stems of a segment, no longer to its passages: list 1 holds the numbers of stems by trigram, list 2 the stems by
-- number. Until their sources are indexed anew, older segments are searched by stems alone.
DELETE FROM "knowledge_postings" WHERE "list" = 1;
ALTER TABLE "knowledge_segments" DROP COLUMN "trigram_lengths", DROP COLUMN "common_trigrams", ADD COLUMN "word_sizes" INTEGER[];
UPDATE "knowledge_segments" SET "trigram_buckets" = 0, "word_sizes" = '{}';
UPDATE "knowledge_sources" SET "state" = 'queued', "problem" = NULL, "attempts" = 0, "lease_until" = NULL, "epoch" = "epoch" + 1, "next_at" = now()
WHERE "state" = 'ready';
