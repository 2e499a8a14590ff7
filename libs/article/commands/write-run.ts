import { isDigits } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { readFile, stat } from 'node:fs/promises';
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
import { untilIndexed, uploadSources, uploadNamed } from '#knowledge/commands/upload-sources.js';
import { exportFormatOf, continueHint, withRecoveryHint } from '#cli/outputs/output-file.js';
import { exportArticle, type ArticleExportOptions } from './export.js';
import type { Place } from '#cli/stack/data-dir.js';
import type { Work } from '#cli/stack/with-service.js';
import { headingsIn, describeDecision } from './describe-decision.js';
import { translate, renderText } from '#cli/language.js';
import { askAtTerminal, type Terminal } from '#cli/answers/terminal.js';

export interface WriteOptions extends Place, ArticleExportOptions {
  style?: string;
  keyword: string[];
  words?: number;
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
    ...(options.words === undefined ? {} : { words: options.words }),
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

type ArticleAnswer = Record<string, unknown>;

/** Approving action by decision type. */
const YES: Record<string, string> = {
  article_duplicate: 'continue',
  article_research: 'approve',
  article_draft: 'accept',
  article_shadow: 'approve',
};

/** Accepted input by decision type. */
const HELP: Record<string, Phrase> = {
  article_duplicate: phrase('cli.answer_article_duplicate'),
  article_research: phrase('cli.answer_article_research'),
  article_draft: phrase('cli.answer_article_draft'),
  article_shadow: phrase('cli.answer_article_shadow'),
};

/** Returns whether a decision is about an article. */
const isOfArticle = ({ decision_type: type }: Decision): boolean => Object.hasOwn(YES, type);

/** Returns the answer that approves or accepts. */
const accepting = ({ decision_type: type }: Decision): ArticleAnswer => ({ action: YES[type] });

/**
 * Shows a question about an article to the person at the terminal and asks until there is an answer.
 *
 * @throws CliError when the person closes the terminal's input instead
 */
export async function askAboutArticle(
  decision: Decision,
  signal: AbortSignal,
  terminal?: Terminal,
): Promise<ArticleAnswer> {
  const help = translate(HELP[decision.decision_type]!);
  const question = `${describeDecision(decision)}\n${renderText(decision.phrase, decision.question)}`;
  const read = (typed: string) => readTyped(decision, typed);
  const answer = await askAtTerminal(question, signal, (ask) => ask(help, help, read), terminal);
  if (!answer) throw new CliError(phrase('cli_error.no_answer_article'));
  return answer;
}

/** Returns the typed answer as the API expects it; undefined for invalid input. */
async function readTyped(decision: Decision, typed: string): Promise<ArticleAnswer | undefined> {
  const { decision_type: type } = decision;
  if (typed === YES[type] || typed === 'stop') return { action: typed };
  const [word, ...words] = typed.split(' ').filter((each) => each !== '');
  if (word === 'reject') return rejected(decision, words);
  if (word === 'search' && type === 'article_research' && words.length > 0)
    return { action: 'search', questions: [words.join(' ').slice(0, 300)] };
  const text = await textOf(typed);
  if (text === undefined) return undefined;
  if (type === 'article_draft') return { action: 'edit', text };
  if (type !== 'article_research') return undefined;
  const headings = headingsIn(text);
  return headings.length > 0 ? { action: 'approve', headings } : undefined;
}

/** Parses `reject REASON` or, for a draft, `reject NUMBER REASON`; returns undefined for invalid input. */
function rejected({ decision_type: type, details }: Decision, words: string[]): ArticleAnswer | undefined {
  const isNumbered = type === 'article_draft' && isDigits(words[0] ?? '');
  const reason = words.slice(isNumbered ? 1 : 0).join(' ');
  if (!isNumbered) {
    if (reason === '' || !['article_draft', 'article_shadow'].includes(type)) return undefined;
    return { action: 'reject', [type === 'article_draft' ? 'feedback' : 'reason']: reason };
  }
  const { paragraphs = [] } = details as { paragraphs?: { id: string }[] };
  const paragraph = paragraphs[Number(words[0]) - 1];
  if (!paragraph) return undefined;
  const one = { paragraph_id: paragraph.id, accepted: false, ...(reason === '' ? {} : { reason }) };
  return { action: 'decide', paragraphs: [one] };
}

/** Returns the text of a file; undefined if the path does not lead to a file. */
async function textOf(path: string): Promise<string | undefined> {
  const info = path === '' ? undefined : await stat(path).catch(() => undefined);
  return info?.isFile() ? readFile(path, 'utf8') : undefined;
}
