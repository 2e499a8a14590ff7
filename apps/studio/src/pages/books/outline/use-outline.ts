import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { saveOutline, type Book, type Outline } from '../../../api/books';

export type OutlineChapter = Outline['chapters'][number];

/** A chapter under work; the key tells it apart while it has no id. */
export interface Row {
  key: string;
  chapter: OutlineChapter;
}

interface Work {
  /** Of the book that the work began from. */
  etag: string;
  rows: Row[];
  isDirty: boolean;
}

const keptAt = (bookId: string) => `scriptorium.outline.${bookId}`;

const rowsOf = (chapters: readonly OutlineChapter[]): Row[] =>
  chapters.map((chapter) => ({ key: chapter.id ?? crypto.randomUUID(), chapter }));

/** What the server takes: it numbers chapters by their order. */
const bare = ({ id, title, summary, sections, terms, passages }: OutlineChapter): OutlineChapter => ({
  ...(id === undefined ? {} : { id }),
  title,
  ...(summary === undefined ? {} : { summary }),
  ...(sections === undefined ? {} : { sections }),
  ...(terms === undefined ? {} : { terms }),
  ...(passages === undefined ? {} : { passages }),
});

function begin({ id, etag, outline_json: outline }: Book): Work {
  try {
    const kept = JSON.parse(localStorage.getItem(keptAt(id)) ?? 'null') as Work | null;
    if (kept?.etag === etag) return kept;
  } catch {
    // What cannot be read is not gone on with.
  }
  return { etag, rows: rowsOf(outline.chapters), isDirty: false };
}

/** The outline of a book under work: changes are kept in the browser until they are saved or thrown away (B3). */
export function useOutline(book: Book) {
  const [work, setWork] = useState(() => begin(book));
  useEffect(() => {
    if (!work.isDirty && work.etag !== book.etag) setWork(begin(book));
  }, [book, work]);

  const edit = (rows: Row[]) => {
    const next = { ...work, rows, isDirty: true };
    localStorage.setItem(keptAt(book.id), JSON.stringify(next));
    setWork(next);
  };
  const forget = (now: Book) => {
    localStorage.removeItem(keptAt(now.id));
    setWork(begin(now));
  };
  const saving = useMutation({
    mutationFn: (outline: Outline) => saveOutline(book.id, outline, work.etag),
    onSuccess: forget,
  });
  const change = (key: string, fields: Partial<OutlineChapter>) =>
    edit(work.rows.map((row) => (row.key === key ? { key, chapter: { ...row.chapter, ...fields } } : row)));

  return {
    rows: work.rows,
    isDirty: work.isDirty,
    saving,
    change,
    add: (title: string) =>
      edit([...work.rows, ...rowsOf([{ title, summary: '', sections: [], terms: [] }])]),
    remove: (key: string) => edit(work.rows.filter((row) => row.key !== key)),
    insert: (row: Row, at: number) => edit(work.rows.toSpliced(at, 0, row)),
    move: (from: number, to: number) => {
      const row = work.rows[from];
      if (row && to >= 0 && to < work.rows.length) edit(work.rows.toSpliced(from, 1).toSpliced(to, 0, row));
    },
    undo: () => forget(book),
    save: () =>
      saving.mutate({
        synopsis: book.outline_json.synopsis,
        chapters: work.rows.map(({ chapter }) => bare(chapter)),
      }),
    takeOver: (outline: Outline) =>
      saving.mutate({ synopsis: outline.synopsis ?? '', chapters: outline.chapters.map(bare) }),
  };
}

export type OutlineWork = ReturnType<typeof useOutline>;
