-- IDs of the paragraphs that a person wrote or accepted, and that runs leave as they are; null for versions of older releases.
ALTER TABLE book_chapter_versions ADD COLUMN kept jsonb;
