-- What became of each piece of a file in the text that was extracted from it.
ALTER TABLE "session_files" ADD COLUMN "inventory" JSONB;
