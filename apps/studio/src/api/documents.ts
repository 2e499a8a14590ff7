import { queryOptions } from '@tanstack/react-query';
import { apiQuery, change, call, fetchedIfAny, postFiles, type Schemas } from './api-query';
import { queryClient } from './query-client';
import { settleRemovals } from './removals';
import type { SourceFile } from './source-files';
import { retryingImport } from './retrying-import';

/** Loaded with the first files, because its rules weigh more than the rest of the first page. */
export const sourceFiles = retryingImport(() => import('./source-files'));

/** Lists and pages that show sessions and runs. */
export const WORK = [['sessions'], ['runs'], ['plans']];

/**
 * Returns what `WorkActions` does with work of a session. An empty title removes the session's own, so that
 * the first heading counts. Removing deletes the session with its files, runs and results.
 */
export const sessionActions = (session_id: string) => ({
  rename: (title: string) =>
    change('PATCH /api/sessions/{session_id}', { session_id, body: { title: title || null } }, ...WORK),
  remove: () => change('DELETE /api/sessions/{session_id}', { session_id, keepalive: true }, ...WORK),
});

export const documentQuery = (sessionId: string) =>
  apiQuery(['sessions', sessionId], '/api/sessions/{session_id}', { session_id: sessionId });

/** Query for the newest runs of a kind in a session. */
export const runsOfSession = (session_id: string, kind: 'document' | 'book') =>
  apiQuery(['runs', 'session', session_id], '/api/agents/runs', { session_id, kind, limit: 20 });

export const exportsOf = (session_id: string) =>
  apiQuery(['exports', session_id], '/api/sessions/{session_id}/exports', { session_id, limit: 50 });

export const inputsOf = (sessionId: string) =>
  apiQuery(['inputs', sessionId], '/api/sessions/{session_id}/inputs', { session_id: sessionId });

/** Query for the current manuscript; null before the first line. */
export const manuscriptOf = (sessionId: string) =>
  queryOptions({
    queryKey: ['manuscript', sessionId],
    queryFn: async ({ signal }) =>
      (await fetchedIfAny(`/api/sessions/${sessionId}/manuscript`, { signal }))?.text() ?? null,
  });

/**
 * Creates a session with the given files and starts a run.
 *
 * @returns the session's ID
 * @param onProgress receives the share of bytes sent, 0…1
 * @throws ApiProblem if the service refuses; nothing stays stored then
 */
export const writeDocument = (
  files: SourceFile<File>[],
  title: string,
  onProgress: (share: number) => void,
): Promise<string> =>
  sessionWith(files, title, onProgress, (session_id) =>
    change('POST /api/agents/runs', { body: { session_id } }, ...WORK),
  );

/**
 * Creates a session with the given files, which are processed in their order.
 *
 * @returns its ID
 * @throws ApiProblem if the service refuses; nothing stays stored then
 */
export async function sessionWith(
  files: SourceFile<File>[],
  title: string,
  onProgress?: (share: number) => void,
  begin?: (sessionId: string) => Promise<unknown>,
): Promise<string> {
  const { id } = await call('POST /api/sessions', { body: title === '' ? {} : { title } });
  try {
    if (files.length > 0) await upload(id, files, onProgress);
    if ((await sourceFiles()).isMoved(files)) await orderInputs(id, files);
    await begin?.(id);
    return id;
  } catch (error) {
    await call('DELETE /api/sessions/{session_id}', { session_id: id }).catch(() => undefined);
    throw error;
  }
}

const orderInputs = (session_id: string, files: SourceFile<File>[]) =>
  call('POST /api/sessions/{session_id}/inputs/order', {
    session_id,
    body: { names: files.map(({ name }) => name) },
  });

/**
 * Starts a run over the files of a session.
 *
 * @param inputs whether only what depends on changed sources is written, or changes that were accepted since may be lost
 * @throws ApiProblem `changes_would_be_lost` if there are some, among others
 */
export async function startDocument(
  sessionId: string,
  inputs: { only_changed?: true; discard_changes?: true } = {},
): Promise<Schemas['Run']> {
  await settleRemovals();
  return change('POST /api/agents/runs', { body: { session_id: sessionId, inputs } }, ...WORK);
}

/** Query for the current manuscript and ledger of a document, and whether they belong together. */
export const resultsOf = (session_id: string) =>
  apiQuery(['results', session_id], '/api/sessions/{session_id}/results', { session_id });

/** Adds files to a session. @throws ApiProblem `file_exists`, among others */
export async function addInputs(sessionId: string, files: SourceFile<File>[]): Promise<void> {
  await settleRemovals();
  try {
    await upload(sessionId, files);
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['inputs', sessionId] });
  }
}

/** Uploads files as inputs of a session. @throws ApiProblem */
export const uploadInputs = (sessionId: string, files: File[]): Promise<void> => upload(sessionId, files);

/** Uploads a few files per request, so that progress is visible and no request is too large. */
async function upload(
  sessionId: string,
  files: (File | SourceFile<File>)[],
  onProgress?: (share: number) => void,
): Promise<void> {
  const all = bytesOf(files);
  let sent = 0;
  for (let at = 0; at < files.length; at += 10) {
    const batch = files.slice(at, at + 10);
    await postFiles(`/api/sessions/${sessionId}/inputs`, batch);
    sent += bytesOf(batch);
    onProgress?.(all === 0 ? 1 : sent / all);
  }
}

const bytesOf = (files: (File | SourceFile<File>)[]): number =>
  files.reduce((sum, each) => sum + ('size' in each ? each : each.file).size, 0);
