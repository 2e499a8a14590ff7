-- Word files of books and articles come back too. `text_key` is the object with the texts that an export shows; a proposal
-- says in which chapter it is, and which run exported the file.
ALTER TABLE exports ADD COLUMN text_key text;
ALTER TABLE proposals
  ADD COLUMN chapter_id  text,
  ADD COLUMN exported_by text;
