import { useQuery } from '@tanstack/react-query';
import { apiQuery, change, call, type Schemas } from './api-query';
import { runsOfSession, uploadInputs } from './documents';
import { queryClient } from './query-client';
import { namesOf, type NamedSources } from '../ui/named-sources';
import { isOver } from './runs';

export type Book = Schemas['BookProject'];
export type Profile = Schemas['BookProfile'];
export type ProfileReply = Schemas['ProfileReply'];
export type Outline = Schemas['BookOutline'];

export const bookQuery = (id: string) =>
  apiQuery(['books', id], '/api/books/projects/{project_id}', { project_id: id });

/**
 * Returns the newest runs of a book, and the one that its pages show: the newest active one, which may be a child run that
 * writes a chapter, else the newest.
 *
 * @param sessionId of the book; undefined while it is unknown
 */
export function useBookRun(sessionId: string | undefined) {
  const options = { ...runsOfSession(sessionId ?? '', 'book'), enabled: sessionId !== undefined };
  const runs = useQuery(options).data?.items;
  const active = runs?.find((run) => !isOver(run));
  return { runs, run: active ?? runs?.[0], isBusy: active !== undefined };
}

/** @throws ApiProblem */
export const createBook = (profile: Profile) =>
  changeBook(change('POST /api/books/projects', { body: profile }, ['runs']));

/** Saves the author's concept; the profile replaces the earlier one. @throws ApiProblem */
export const saveConcept = (id: string, profile: Profile) =>
  changeBook(call(BOOK, { project_id: id, body: { metadata_json: { user_concept: { profile } } } }));

/**
 * Saves an outline.
 *
 * @param etag of the book that the outline is based on
 * @throws ApiProblem `changed_meanwhile` if the book has changed since
 */
export const saveOutline = (id: string, outline: Outline, etag: string) => {
  const given = { project_id: id, headers: { 'If-Match': etag }, body: { outline_json: outline } };
  return changeBook(change(BOOK, given, ['chapters', id]));
};

/** Changes the title of a book. @throws ApiProblem */
export const renameBook = (id: string, title: string) =>
  changeBook(change(BOOK, { project_id: id, body: { title } }, ['runs']));

/** Deletes the book with its chapters, sources, runs and files. @throws ApiProblem */
export async function deleteBook(id: string): Promise<void> {
  await call('DELETE /api/books/projects/{project_id}', { project_id: id, keepalive: true });
  queryClient.removeQueries({ queryKey: ['books', id] });
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
}

/** Returns the next step of the conversation about the profile. @throws ApiProblem */
export const askAssistant = (id: string, body: Schemas['ProfileMessage']): Promise<ProfileReply> =>
  call('POST /api/books/projects/{project_id}/profile-assistant', { project_id: id, body });

/** Asks the run that writes the whole book to end after its chapter. @throws ApiProblem */
export const stopBook = (id: string) =>
  changeBook(call('POST /api/books/projects/{project_id}/stop', { project_id: id }));

export type BookMode = 'toc' | 'refine_toc' | 'chapter' | 'export' | 'book';

/** Starts a run of a book. @throws ApiProblem `run_active` if another is active */
export const startBookRun = (projectId: string, mode: BookMode, inputs: Record<string, unknown> = {}) => {
  const body = { project_id: projectId, mode, inputs };
  return change('POST /api/agents/runs', { body }, ['runs']);
};

/** Starts the writing or the revision of a chapter; uploads the named files first. @throws ApiProblem */
export async function startChapter(
  { id, session_id }: Book,
  chapterId: string,
  { feedback, sources }: { feedback?: string; sources: NamedSources },
): Promise<Schemas['Run']> {
  await uploadInputs(session_id, sources.files);
  const named = namesOf(sources);
  return startBookRun(id, 'chapter', {
    chapter_id: chapterId,
    ...(feedback === undefined ? {} : { feedback }),
    ...(named.length > 0 && { sources: named }),
  });
}

const BOOK = 'PATCH /api/books/projects/{project_id}';

/** Shows the book that a change returns. @throws ApiProblem */
async function changeBook(changing: Promise<Book>): Promise<Book> {
  const book = await changing;
  queryClient.setQueryData(bookQuery(book.id).queryKey, book);
  return book;
}
