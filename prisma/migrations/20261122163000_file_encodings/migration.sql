-- What text was converted to UTF-8 from, or `unknown` where a person has to say; and who said so.
ALTER TABLE "session_files" ADD COLUMN "encoding" TEXT, ADD COLUMN "encoding_by" TEXT;
