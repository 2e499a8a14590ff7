import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { createBook, saveConcept, type Book, type Profile } from '../../../api/books';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

/** What the browser keeps of a book's concept until the server has it (B3). */
interface Draft {
  profile: Profile;
  messages: Message[];
  /** What a model has proposed: the author's only when taken over or finalised (B17). */
  proposed: Profile;
  /** Whether the profile has changed since it was saved. */
  isDirty: boolean;
}

const SAVE_AFTER_MS = 800;
const keyOf = (projectId: string | null) => `scriptorium.book.${projectId ?? 'new'}`;

/** Forgets what the browser keeps of a book; of the new one for null. */
export const forgetDraft = (projectId: string | null): void => localStorage.removeItem(keyOf(projectId));

function readDraft(book: Book | null): Draft {
  const saved = book?.metadata_json.user_concept.profile ?? {};
  const fresh: Draft = { profile: saved, messages: [], proposed: {}, isDirty: false };
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(book?.id ?? null)) ?? 'null') as Partial<Draft> | null;
    if (!kept) return fresh;
    return { ...fresh, ...kept, ...(kept.isDirty ? {} : { profile: saved }) };
  } catch {
    return fresh;
  }
}

/** Without the fields that are empty: the server takes them for mistakes. */
export function filled(profile: Profile): Profile {
  const fields = Object.entries(profile).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  );
}

/**
 * The concept of a book under work: each change is kept in the browser at once and on the server soon after. A new book is made on the
 * server when it is first needed there (`ensureBook`).
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
      // What was typed meanwhile is saved by the next turn.
      if (newest.current.profile === profile) keep((before) => ({ ...before, isDirty: false }));
    },
  });
  const { mutate: save } = saving;
  useEffect(() => {
    if (!draft.isDirty || bookId.current === null) return;
    const timer = setTimeout(() => save(), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, save]);

  /** The id of the book, which is made now if there is none yet. @throws ApiProblem */
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
    /** What was proposed is the author's, with these fields besides. */
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
