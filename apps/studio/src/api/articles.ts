import type { Platform } from '#contracts/kinds/article/repurpose.js';
import { queryOptions } from '@tanstack/react-query';
import { giveAnswer } from './decisions';
import { api, problemOf, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';
import { runsOf } from './runs';

export type ArticleMode = 'author' | 'shadow';

/** A change of a revision, as a question tells of it. */
export interface ArticleChange {
  id: string;
  kind: 'replaced' | 'inserted' | 'removed';
  before: string;
  after: string;
}

/** What a question about a draft shows (A3). */
export interface DraftDetails {
  draft: string;
  iteration_count: number;
  paragraphs: { id: string; kind: string; begins: string }[];
  changes: ArticleChange[];
  findings: Schemas['Finding'][];
  annotations: Schemas['Finding'][];
}

/** What a question about a text beside the corpus shows (A7). */
export interface ShadowDetails {
  text: string;
  annotated_text: string;
  corrected_version: string;
  iteration_count: number;
  annotations: Schemas['Finding'][];
  deviations: { measure: string; text: number; corpus: number; distance: number }[];
  changes: ArticleChange[];
}

/** What a question about the research shows (A3). */
export interface ResearchDetails {
  report: string;
  headings: { level: number; title: string }[];
  sources: { label: string; url: string; title: string; summary: string }[];
}

export const articlesQuery = runsOf('articles', { kind: 'article' });

/**
 * A result of an article's session as text; null while there is none.
 *
 * @param state how far the run is: the result is read anew when that has changed
 */
export const articleResult = (sessionId: string, name: string, state: string) =>
  queryOptions({
    queryKey: ['results', sessionId, name, state],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/sessions/${sessionId}/results/article/${name}`, { signal });
      if (response.status === 404) return null;
      if (!response.ok) throw await problemOf(response);
      return response.text();
    },
  });

/** Starts an article in a session of its own. @throws ApiProblem */
export async function startArticle(
  mode: ArticleMode,
  inputs: { topic: string; keywords: string[] } | { user_text: string },
): Promise<Schemas['Run']> {
  const title = 'topic' in inputs ? inputs.topic.slice(0, 200) : inputs.user_text.slice(0, 60);
  const session = await unwrap(
    api.POST('/api/sessions', { body: { title: title.replace(/\s+/g, ' ').trim() } }),
  );
  const body = { session_id: session.id, kind: 'article' as const, mode, inputs };
  const run = await unwrap(api.POST('/api/agents/runs', { body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run;
}

/** Tells the article that a session approved again on platforms, as a run of that session (A14). @throws ApiProblem */
export async function tellAgain(sessionId: string, platforms: Platform[]): Promise<Schemas['Run']> {
  const inputs = { platforms };
  const body = { session_id: sessionId, kind: 'article' as const, mode: 'repurpose' as const, inputs };
  const run = await unwrap(api.POST('/api/agents/runs', { body }));
  await queryClient.invalidateQueries({ queryKey: ['runs'] });
  return run;
}

/** Whether an article on nearly the same topic was approved before (A5). */
export const topicQuery = (topic: string, keywords: string[]) =>
  queryOptions({
    queryKey: ['topics', topic, keywords],
    queryFn: () => unwrap(api.POST('/api/metadata/check', { body: { topic, keywords } })),
    staleTime: 60_000,
  });

/** Answers a question of an article and reads what comes of it. @throws ApiProblem */
export async function answerArticle(
  decisionId: string,
  answer: Parameters<typeof giveAnswer>[1],
): Promise<void> {
  try {
    await giveAnswer(decisionId, answer);
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['decisions'] });
    await queryClient.invalidateQueries({ queryKey: ['runs'] });
  }
}
