import { queryOptions } from '@tanstack/react-query';
import { apiPages, call, nullIf, type Schemas, upload } from './api-query';

export type CorpusText = Schemas['CorpusText'];
export type Fingerprint = Schemas['StyleFingerprint'];
export type SourceType = CorpusText['source_type'];

export const SOURCE_TYPES = ['own', 'external'] as const satisfies SourceType[];

/** Query for the texts of the style corpus; refetched regularly, because a worker indexes them. */
export const corpusTextsQuery = apiPages(['corpus', 'texts'], '/api/corpus/texts', {}, 5_000);

/** Query for the corpus's fingerprint; null until a text is indexed. */
export const fingerprintQuery = queryOptions({
  queryKey: ['corpus', 'fingerprint'],
  queryFn: (): Promise<Fingerprint | null> => nullIf(404, call('GET /api/corpus/fingerprint', {})),
  refetchInterval: 5_000,
});

/** Adds files to the style corpus; a worker indexes them. @returns the skipped files @throws ApiProblem */
export const addTexts = (files: File[], type: SourceType) =>
  upload(`/api/corpus/ingest?source_type=${type}`, files, ['corpus']);
