import { jsonOf } from '#contracts/lenient.js';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createBook, deleteBook, saveConcept, type Book, type Profile } from '../../../api/books';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** A book's concept, stored in the browser until the server has it (B3). */
interface Draft {
  profile: Profile;
  messages: Message[];
  /** A model's proposals; the author must accept or finalise them (B17). */
  proposed: Profile;
  /** Whether the profile has changed since it was last saved. */
  isDirty: boolean;
}

const SAVE_AFTER_MS = 800;
const keyOf = (projectId: string | null) => `scriptorium.book.${projectId ?? 'new'}`;

/** Deletes the browser's copy of a book; of the new book if the id is null. */
export const forgetDraft = (projectId: string | null): void => localStorage.removeItem(keyOf(projectId));

/** Deletes a book and the browser's copy. @throws ApiProblem */
export async function removeBook(projectId: string): Promise<void> {
  await deleteBook(projectId);
  forgetDraft(projectId);
}

function readDraft(book: Book | null): Draft {
  const saved = book?.metadata_json.user_concept.profile ?? {};
  const fresh: Draft = { profile: saved, messages: [], proposed: {}, isDirty: false };
  const kept = jsonOf(localStorage.getItem(keyOf(book?.id ?? null)) ?? '') as Partial<Draft> | undefined;
  return kept ? { ...fresh, ...kept, ...(kept.isDirty ? {} : { profile: saved }) } : fresh;
}

/** Returns the profile without empty fields, which the server would reject. */
export function filled(profile: Profile): Profile {
  const fields = Object.entries(profile).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

/**
 * Edits a book's concept: each change is stored immediately in the browser and soon on the server. A new book
 * is created on the server when it is first needed there (`ensureBook`).
 */
export function useConcept(book: Book | null) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => readDraft(book));
  const bookId = useRef(book?.id ?? null);
  const newest = useRef(draft);

  const keep = useCallback((change: (before: Draft) => Draft) => {
    newest.current = change(newest.current);
    localStorage.setItem(keyOf(bookId.current), JSON.stringify(newest.current));
    setDraft(newest.current);
  }, []);

  const saving = useMutation({
    mutationFn: async () => {
      const { profile } = newest.current;
      if (bookId.current === null) return;
      await saveConcept(bookId.current, filled(profile));
      // The next save includes what was typed in the meantime.
      if (newest.current.profile === profile) keep((before) => ({ ...before, isDirty: false }));
    },
  });
  const { mutate: save } = saving;
  useEffect(() => {
    if (!draft.isDirty || bookId.current === null) return;
    const timer = setTimeout(() => save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, save]);

  /** Returns the book's id; creates the book if necessary. @throws ApiProblem */
  const ensureBook = async (): Promise<string> => {
    if (bookId.current !== null) return bookId.current;
    const made = await createBook(filled(newest.current.profile));
    forgetDraft(null);
    bookId.current = made.id;
    keep((before) => ({ ...before, isDirty: false }));
    await navigate({ to: `/books/${made.id}/concept`, replace: true });
    return made.id;
  };

  return {
    draft,
    saving,
    ensureBook,
    change: (fields: Profile) =>
      keep((before) => ({ ...before, profile: { ...before.profile, ...fields }, isDirty: true })),
    propose: (fields: Profile) =>
      keep((before) => ({ ...before, proposed: { ...before.proposed, ...fields } })),
    /** Accepts the proposals, and sets these additional fields. */
    takeOver: (fields: Profile = {}) =>
      keep((before) => ({
        ...before,
        profile: { ...before.profile, ...before.proposed, ...fields },
        proposed: {},
        isDirty: true,
      })),
    turnDown: () => keep((before) => ({ ...before, proposed: {} })),
    say: (...messages: Message[]) =>
      keep((before) => ({ ...before, messages: [...before.messages, ...messages] })),
  };
}

export type Concept = ReturnType<typeof useConcept>;
