import type { CitationStyle } from '#contracts/bibliography-names.js';
import type { ExportFormat } from '#contracts/file-kinds.js';
import type { Platform } from '#article/contract/repurpose.js';
import type { ResearchQuestion, SourceConflict } from '#contracts/research.js';
import { queryOptions } from '@tanstack/react-query';
import { apiChange } from './api-query';
import { api, fetched, type Schemas, unwrap } from './client';
import { sessionActions, uploadInputs } from './documents';
import type { Cited } from '../ui/cited-source';
import { namesOf, type NamedSources } from '../ui/named-sources';

export type ArticleMode = 'author' | 'shadow';

/** A change of a revision, as a decision's details describe it. */
export interface ArticleChange {
  id: string;
  kind: 'replaced' | 'inserted' | 'removed';
  before: string;
  after: string;
}

/** Details of a decision about a draft (A3). */
export type DraftDetails = {
  draft: string;
  iteration_count: number;
  paragraphs: { id: string; kind: string; begins: string; span?: { start: number; end: number } }[];
  changes: ArticleChange[];
  findings: Schemas['Finding'][];
  annotations: Schemas['Finding'][];
};

/** Details of a decision about a text compared with the corpus (A7). */
export type ShadowDetails = {
  text: string;
  annotated_text: string;
  corrected_version: string;
  iteration_count: number;
  annotations: Schemas['Finding'][];
  deviations: { measure: string; text: number; corpus: number; distance: number }[];
  changes: ArticleChange[];
};

/** A source of the research. Fields without a value in older runs are optional. */
type ResearchSource = Pick<Cited, 'label' | 'title'> & Partial<Cited>;

/** Details of a decision about the research (A3). */
export type ResearchDetails = {
  report: string;
  headings: { level: number; title: string }[];
  sources: (ResearchSource & { summary: string })[];
  findings: Schemas['Finding'][];
  /** Absent in questions that an older release asked. */
  questions?: ResearchQuestion[];
  conflicts?: SourceConflict[];
};

/**
 * Query for the current results of a session's articles, by name.
 *
 * @param state of the run: the results are fetched again when it changes
 */
export const articleResults = (sessionId: string, state: string) =>
  queryOptions({
    queryKey: ['results', sessionId, state],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const params = { path: { session_id: sessionId } };
      const { items } = await unwrap(api.GET('/api/sessions/{session_id}/results', { params }));
      const names = items.flatMap(({ kind, name }) => (kind === 'article' ? [name] : []));
      return new Map(
        await Promise.all(
          names.map(async (name) => {
            const response = await fetched(`/api/sessions/${sessionId}/results/article/${name}`);
            return [name, await response.text()] as const;
          }),
        ),
      );
    },
  });

/**
 * Starts an article in a new session, or in that of an earlier run whose files it uses again.
 *
 * @throws ApiProblem
 */
export async function startArticle(
  mode: ArticleMode,
  given: { topic: string; keywords: string[]; research?: 'web' } | { user_text: string; rules?: 'general' },
  sources: NamedSources,
  earlier: { sessionId: string; files: string[] } | null,
): Promise<Schemas['Run']> {
  const begin = 'topic' in given ? given.topic.slice(0, 200) : given.user_text.slice(0, 60);
  const title = begin.replace(/\s+/g, ' ').trim();
  const sessionId = earlier?.sessionId ?? (await unwrap(api.POST('/api/sessions', { body: { title } }))).id;
  if (earlier) await sessionActions(sessionId).rename(title);
  await uploadInputs(sessionId, sources.files);
  const named = [...new Set([...(earlier?.files ?? []), ...namesOf(sources)])];
  const inputs = { ...given, ...(named.length > 0 && { sources: named }) };
  const body = { session_id: sessionId, kind: 'article' as const, mode, inputs };
  return apiChange(api.POST('/api/agents/runs', { body }), ['runs']);
}

/** Starts a run that rewrites the session's approved article for platforms (A14). @throws ApiProblem */
export const startRepurposing = (sessionId: string, platforms: Platform[]) => {
  const inputs = { platforms };
  const body = { session_id: sessionId, kind: 'article' as const, mode: 'repurpose' as const, inputs };
  return apiChange(api.POST('/api/agents/runs', { body }), ['runs']);
};

/** Starts a run that exports the session's approved article. @throws ApiProblem */
export const startArticleExport = (
  sessionId: string,
  formats: ExportFormat[],
  style: CitationStyle | null,
) => {
  const inputs = { formats, ...(style && { citation_style: style }) };
  const body = { session_id: sessionId, kind: 'article' as const, mode: 'export' as const, inputs };
  return apiChange(api.POST('/api/agents/runs', { body }), ['runs']);
};

/** Query for an approved article on a similar topic (A5). */
export const topicQuery = (topic: string, keywords: string[]) =>
  queryOptions({
    queryKey: ['topics', topic, keywords],
    queryFn: () => unwrap(api.POST('/api/metadata/check', { body: { topic, keywords } })),
    staleTime: 60_000,
  });
