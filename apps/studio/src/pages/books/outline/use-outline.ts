import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { saveOutline, type Book, type Outline } from '../../../api/books';
import { queryClient } from '../../../api/query-client';
import { useDrafts } from '../../../ui/use-drafts';

export type OutlineChapter = Outline['chapters'][number];

/** Chapter being edited. `key` identifies it before the service assigns an ID. */
export interface Row {
  key: string;
  chapter: OutlineChapter;
}

const rowsOf = (chapters: readonly OutlineChapter[]): Row[] =>
  chapters.map((chapter) => ({ key: chapter.id ?? crypto.randomUUID(), chapter }));

/** Returns the fields that the server accepts; it numbers chapters by their order. */
const bare = (chapter: OutlineChapter): OutlineChapter =>
  Object.fromEntries(Object.entries(chapter).filter(([name]) => FIELDS.has(name))) as OutlineChapter;
const FIELDS = new Set(['id', 'title', 'summary', 'sections', 'terms', 'passages']);

const chaptersOf = (rows: readonly Row[]) => rows.map(({ chapter }) => bare(chapter));

interface Saving {
  outline: Outline;
  /** Rows being saved. */
  from: Row[];
}

/** Edits a book's outline; changes are stored in the browser until they are saved or discarded (B3). */
export function useOutline(book: Book) {
  const saved = useMemo(() => rowsOf(book.outline_json.chapters), [book]);
  const refetchBooks = useCallback(() => void queryClient.invalidateQueries({ queryKey: ['books'] }), []);
  const drafts = useDrafts<Row[]>(
    `scriptorium.outline.${book.id}`,
    (rows) => JSON.stringify(chaptersOf(rows)) === JSON.stringify(chaptersOf(saved)),
    refetchBooks,
  );
  const rows = drafts.own?.content ?? saved;
  const etag = drafts.own?.etag ?? book.etag;
  const edit = (next: Row[]) => drafts.keep(next, etag);
  const saving = useMutation({
    mutationFn: ({ outline }: Saving) => saveOutline(book.id, outline, etag),
    onSuccess: (_, { from }) => drafts.saved(from),
    // If the outline has changed, the page reports it and asks what to do with the draft.
    onError: refetchBooks,
  });
  const takeOver = ({ synopsis = '', chapters }: Outline) =>
    saving.mutate({ outline: { synopsis, chapters: chapters.map(bare) }, from: rows });
  const change = (key: string, fields: Partial<OutlineChapter>) =>
    edit(rows.map((row) => (row.key === key ? { key, chapter: { ...row.chapter, ...fields } } : row)));

  return {
    rows,
    drafts,
    isDirty: drafts.own !== null,
    /** Whether the draft is based on the newest version; if not, the author must choose before saving. */
    isCurrent: etag === book.etag,
    saving,
    change,
    add: (title: string) => edit([...rows, ...rowsOf([{ title, summary: '', sections: [], terms: [] }])]),
    remove: (key: string) => edit(rows.filter((row) => row.key !== key)),
    insert: (row: Row, at: number) => edit(rows.toSpliced(at, 0, row)),
    move: (from: number, to: number) => {
      const row = rows[from];
      if (row && to >= 0 && to < rows.length) edit(rows.toSpliced(from, 1).toSpliced(to, 0, row));
    },
    undo: drafts.forget,
    save: () => takeOver({ synopsis: book.outline_json.synopsis, chapters: rows.map((row) => row.chapter) }),
    takeOver,
  };
}

export type OutlineWork = ReturnType<typeof useOutline>;
