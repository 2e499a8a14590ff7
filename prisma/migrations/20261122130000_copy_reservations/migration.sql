-- What a copy of a session will add to the storage of its tenant; it counts from the beginning of the copy.
ALTER TABLE "session_copies" ADD COLUMN "bytes" BIGINT NOT NULL DEFAULT 0;
