import { queryOptions } from '@tanstack/react-query';
import { change, call, fetched, type Schemas } from './api-query';
import { sessionActions, uploadInputs } from './documents';
import { namesOf, type NamedSources } from '../ui/named-sources';

export type ArticleMode = 'author' | 'shadow';

/**
 * Query for the current results of a session's articles, by name.
 *
 * @param state of the run: the results are fetched again when it changes
 */
export const articleResults = (sessionId: string, state: string) =>
  queryOptions({
    queryKey: ['results', sessionId, state],
    queryFn: async (): Promise<ReadonlyMap<string, string>> => {
      const { items } = await call('GET /api/sessions/{session_id}/results', { session_id: sessionId });
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
  const sessionId = earlier?.sessionId ?? (await call('POST /api/sessions', { body: { title } })).id;
  if (earlier) await sessionActions(sessionId).rename(title);
  await uploadInputs(sessionId, sources.files);
  const named = [...new Set([...(earlier?.files ?? []), ...namesOf(sources)])];
  const inputs = { ...given, ...(named.length > 0 && { sources: named }) };
  return startArticleRun(sessionId, mode, inputs);
}

/** Starts a run in the session of an article. @throws ApiProblem */
export const startArticleRun = (
  session_id: string,
  mode: ArticleMode | 'repurpose' | 'export',
  inputs: Record<string, unknown>,
) => change('POST /api/agents/runs', { body: { session_id, kind: 'article', mode, inputs } }, ['runs']);

/** Query for an approved article on a similar topic (A5). */
export const topicQuery = (topic: string, keywords: string[]) =>
  queryOptions({
    queryKey: ['topics', topic, keywords],
    queryFn: () => call('POST /api/metadata/check', { body: { topic, keywords } }),
    staleTime: 60_000,
  });
