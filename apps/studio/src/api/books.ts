import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas, unwrap } from './client';
import { pagesOf } from './pages';
import { uploadInputs } from './documents';
import { queryClient } from './query-client';
import { namesOf, type NamedSources } from '../ui/named-sources';
import { isOver, type Run } from './runs';

export type Book = Schemas['BookProject'];
export type ListedBook = Schemas['ListedBookProject'];
export type Profile = Schemas['BookProfile'];
export type ProfileReply = Schemas['ProfileReply'];
export type Outline = Schemas['BookOutline'];

/**
 * Query for the list of books, newest first, with the latest run of each.
 *
 * @param title only books whose title contains this text
 */
export const booksQuery = (title?: string) =>
  pagesOf(
    ['books', 'list', title ?? ''],
    (page) => {
      const query = { ...page, ...(title ? { title } : {}) };
      return unwrap(api.GET('/api/books/projects', { params: { query } }));
    },
    5_000,
  );

export const bookQuery = (id: string) =>
  queryOptions({
    queryKey: ['books', id],
    queryFn: () =>
      unwrap(api.GET('/api/books/projects/{project_id}', { params: { path: { project_id: id } } })),
  });

export const runsOfBook = (sessionId: string) =>
  queryOptions({
    queryKey: ['runs', 'session', sessionId],
    queryFn: () =>
      unwrap(
        api.GET('/api/agents/runs', {
          params: { query: { session_id: sessionId, kind: 'book', limit: 20 } },
        }),
      ),
  });

/**
 * Returns the run that a book's pages show: the newest active one, which may be a child run that writes a
 * chapter, else the newest.
 */
export function shownRun(page: { items: Run[] } | undefined): Run | undefined {
  return page?.items.find((run) => !isOver(run)) ?? page?.items[0];
}

/** @throws ApiProblem */
export async function createBook(profile: Profile): Promise<Book> {
  const book = await unwrap(api.POST('/api/books/projects', { body: profile }));
  queryClient.setQueryData(bookQuery(book.id).queryKey, book);
  await queryClient.invalidateQueries({ queryKey: ['books', 'list'] });
  return book;
}

/** Saves the author's concept; the profile replaces the earlier one. @throws ApiProblem */
export async function saveConcept(id: string, profile: Profile): Promise<Book> {
  const body = { metadata_json: { user_concept: { profile } } };
  return keepBook(
    await unwrap(
      api.PATCH('/api/books/projects/{project_id}', { params: { path: { project_id: id } }, body }),
    ),
  );
}

/**
 * Saves an outline.
 *
 * @param etag of the book that the outline is based on
 * @throws ApiProblem `changed_meanwhile` if the book has changed since
 */
export async function saveOutline(id: string, outline: Outline, etag: string): Promise<Book> {
  const params = { path: { project_id: id } };
  const headers = { 'If-Match': etag };
  const book = await unwrap(
    api.PATCH('/api/books/projects/{project_id}', { params, headers, body: { outline_json: outline } }),
  );
  await queryClient.invalidateQueries({ queryKey: ['chapters', id] });
  return keepBook(book);
}

/** Changes the title of a book. @throws ApiProblem */
export async function renameBook(id: string, title: string): Promise<void> {
  const params = { path: { project_id: id } };
  keepBook(await unwrap(api.PATCH('/api/books/projects/{project_id}', { params, body: { title } })));
  await queryClient.invalidateQueries({ queryKey: ['books', 'list'] });
}

/** Deletes the book with its chapters, sources, runs and files. @throws ApiProblem */
export async function deleteBook(id: string): Promise<void> {
  const params = { path: { project_id: id } };
  await unwrap(api.DELETE('/api/books/projects/{project_id}', { params, keepalive: true }));
  queryClient.removeQueries({ queryKey: ['books', id] });
  await queryClient.invalidateQueries({ queryKey: ['books', 'list'] });
}

/** Returns the next step of the conversation about the profile. @throws ApiProblem */
export const askAssistant = (id: string, body: Schemas['ProfileMessage']): Promise<ProfileReply> =>
  unwrap(
    api.POST('/api/books/projects/{project_id}/profile-assistant', {
      params: { path: { project_id: id } },
      body,
    }),
  );

/** Asks the run that writes the whole book to end after its chapter. @throws ApiProblem */
export const stopBook = async (id: string): Promise<Book> =>
  keepBook(
    await unwrap(api.POST('/api/books/projects/{project_id}/stop', { params: { path: { project_id: id } } })),
  );

export type BookMode = 'toc' | 'refine_toc' | 'chapter' | 'export' | 'book';

/** Starts a run of a book. @throws ApiProblem `run_active` if another is active */
export async function startBookRun(
  projectId: string,
  mode: BookMode,
  inputs: Record<string, unknown> = {},
): Promise<Schemas['Run']> {
  const body = { project_id: projectId, mode, inputs };
  const run = await unwrap(api.POST('/api/agents/runs', { body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run;
}

/** Starts the writing or the revision of a chapter; uploads the named files first. @throws ApiProblem */
export async function startChapter(
  projectId: string,
  sessionId: string,
  chapterId: string,
  { feedback, sources }: { feedback?: string; sources: NamedSources },
): Promise<Schemas['Run']> {
  await uploadInputs(sessionId, sources.files);
  const named = namesOf(sources);
  return startBookRun(projectId, 'chapter', {
    chapter_id: chapterId,
    ...(feedback === undefined ? {} : { feedback }),
    ...(named.length > 0 && { sources: named }),
  });
}

function keepBook(book: Book): Book {
  queryClient.setQueryData(bookQuery(book.id).queryKey, book);
  return book;
}
