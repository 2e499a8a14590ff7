import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { articleKind } from '../contract.js';
import type { z } from 'zod';
import { decide } from '#cli/answers/decide.js';
import { readAnswers } from '#cli/answers/given-answers.js';
import type { Decision } from '#cli/answers/choices.js';
import { CliError, failedRun } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { downloadResult } from '#cli/client/download-result.js';
import { runToEnd } from '#cli/commands/run-to-end.js';
import { collectSources, reportSkipped } from '#cli/inputs/collect-files.js';
import { uploadNamed } from '#knowledge/commands/named-sources.js';
import { untilIndexed, uploadSources } from '#knowledge/commands/upload-sources.js';
import { exportFormatOf } from '#cli/outputs/export-format.js';
import { exportArticle, type ArticleExportOptions } from './export.js';
import { continueHint, withRecoveryHint } from '#cli/outputs/kept-results.js';
import type { Place } from '#cli/stack/data-dir.js';
import type { Work } from '#cli/stack/with-service.js';
import { accepting, askAboutArticle, isOfArticle } from './answer.js';
import { headingsIn } from './describe-decision.js';
import { translate, renderText } from '#cli/language.js';

export interface WriteOptions extends Place, ArticleExportOptions {
  style?: string;
  keyword: string[];
  headings?: string;
  web: boolean;
  source: string[];
  onlySources: boolean;
  accept: boolean;
}

type Progress = z.infer<typeof articleKind.progress>;

export interface WrittenArticle {
  run_id: string;
  session_id: string;
  used_fallback: boolean;
  sources: number;
  cost: number;
  file: string;
}

/**
 * Writes an article on a topic from files, or from the existing collections: starts a run of kind `article`,
 * answers its decisions at the terminal and downloads the result (A3).
 *
 * @throws CliError if the run does not complete, or if it needs an answer and there is no terminal
 */
export async function writeArticle(
  { client, progress, signal }: Work,
  topic: string,
  paths: string[],
  options: WriteOptions,
): Promise<WrittenArticle> {
  const say = (message: string) => progress.say(message);
  const given = options.headings === undefined ? [] : headingsIn(await readFile(options.headings, 'utf8'));
  const sources =
    paths.length === 0 ? undefined : await collectionOf(client, 'knowledge', paths, say, signal);
  const style =
    options.style === undefined
      ? undefined
      : await collectionOf(client, 'style', [options.style], say, signal);
  const session = await unwrap(client.POST('/api/sessions', { body: { title: topic.slice(0, 200) } }));
  const named = await uploadNamed(client, session.id, options.source, signal);
  const inputs = {
    topic,
    keywords: options.keyword,
    ...(given.length > 0 ? { headings: given } : {}),
    ...(sources ? { collections: [sources] } : {}),
    ...(style ? { style_collections: [style] } : {}),
    ...(named.length > 0 ? { sources: named } : {}),
    ...(options.web ? { research: 'web' as const } : {}),
    ...(options.onlySources ? { research: 'named' as const } : {}),
  };
  const started = await unwrap(
    client.POST('/api/agents/runs', {
      body: { session_id: session.id, kind: 'article', mode: 'author', inputs },
    }),
  );
  const answer = (decision: Decision) => answerWith(client, decision, options.accept, signal);
  const run = await runToEnd(client, started.id, progress, signal, answer);
  if (run.status !== 'completed') throw failedRun(run);
  const file = await withRecoveryHint(continueHint(run.id, options), () =>
    exportFormatOf(options.output)
      ? exportArticle({ client, progress, signal }, session.id, options)
      : downloadResult(client, session.id, 'article', 'article', resolve(options.output)),
  );
  const { used_fallback, sources: found } = run.progress.details as Progress;
  return {
    run_id: run.id,
    session_id: session.id,
    used_fallback,
    sources: found,
    cost: run.usage.cost,
    file,
  };
}

async function answerWith(
  client: ApiClient,
  decision: Decision,
  accepts: boolean,
  signal: AbortSignal,
): Promise<Decision> {
  if (!isOfArticle(decision)) return decide(client, decision, readAnswers([]), signal);
  if (!accepts && !process.stdin.isTTY)
    throw new CliError(
      phrase('cli_error.article_answer_missing', {
        question: renderText(decision.phrase, decision.question),
        command: `scriptorium answer ${decision.id} action=…`,
      }),
    );
  const body = accepts ? accepting(decision) : await askAboutArticle(decision, signal);
  const params = { path: { decision_id: decision.id } };
  return unwrap(client.POST('/api/decisions/{decision_id}/answer', { params, body }));
}

/** Creates and indexes a collection, named after its folder. @throws CliError when no file can be read */
async function collectionOf(
  client: ApiClient,
  purpose: 'knowledge' | 'style',
  paths: string[],
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const { files, leftOut } = await collectSources(paths);
  reportSkipped(leftOut, say);
  const name = basename(files.length === 1 ? paths[0]! : dirname(files[0]?.path ?? paths[0]!)).slice(0, 100);
  const { id } = await unwrap(client.POST('/api/knowledge/collections', { body: { name, purpose } }));
  const ids = await uploadSources(client, id, files, {}, signal);
  const sources = await untilIndexed(client, id, ids, () => undefined, signal);
  const ready = sources.filter(({ state }) => state === 'ready');
  if (ready.length === 0) throw new CliError(phrase('cli_error.nothing_readable'));
  const code = purpose === 'style' ? 'out.indexed_for_style' : 'out.indexed_for_research';
  say(translate(phrase(code, { count: ready.length })));
  return id;
}
