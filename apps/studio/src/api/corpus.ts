import { queryOptions } from '@tanstack/react-query';
import { api, ApiProblem, leftOutOf, type Schemas, unwrap } from './client';
import { pagesOf } from './pages';
import { queryClient } from './query-client';

export type CorpusText = Schemas['CorpusText'];
export type Fingerprint = Schemas['StyleFingerprint'];
export type SourceType = CorpusText['source_type'];

export const SOURCE_TYPES = ['own', 'external'] as const satisfies SourceType[];

/** Query for the texts of the style corpus; refetched regularly, because a worker indexes them. */
export const corpusTextsQuery = pagesOf(
  ['corpus', 'texts'],
  (query) => unwrap(api.GET('/api/corpus/texts', { params: { query } })),
  5_000,
);

/** Query for the corpus's fingerprint; null until a text is indexed. */
export const fingerprintQuery = queryOptions({
  queryKey: ['corpus', 'fingerprint'],
  queryFn: async (): Promise<Fingerprint | null> => {
    try {
      return await unwrap(api.GET('/api/corpus/fingerprint'));
    } catch (error) {
      if (error instanceof ApiProblem && error.problem.status < 500) return null;
      throw error;
    }
  },
  refetchInterval: 5_000,
});

/** Adds files to the style corpus; a worker indexes them. @returns the skipped files @throws ApiProblem */
export async function addTexts(files: File[], type: SourceType): Promise<Schemas['LeftOutFile'][]> {
  const form = new FormData();
  for (const file of files) form.append('file', file, file.name);
  const response = await fetch(`/api/corpus/ingest?source_type=${type}`, { method: 'POST', body: form });
  await queryClient.invalidateQueries({ queryKey: ['corpus'] });
  return leftOutOf(response);
}
