import { readFile, stat } from 'node:fs/promises';
import type { Decision } from '../answers/choices.js';
import { askAtTerminal, type Terminal } from '../answers/terminal.js';
import { CliError } from '../cli-error.js';
import { describeDecision, headingsIn } from './describe-decision.js';

export type ArticleAnswer = Record<string, unknown>;

/** What lets an article go on, by the kind of its question. */
const YES: Record<string, string> = {
  article_duplicate: 'continue',
  article_research: 'approve',
  article_draft: 'accept',
  article_shadow: 'approve',
};

/** What a person can type, by the kind of the question; a path is that of a file. */
const HELP: Record<string, string> = {
  article_duplicate: 'continue, or stop',
  article_research: 'approve, stop, or the path of a markdown file with the headings you want',
  article_draft:
    'accept, reject REASON, reject NUMBER REASON (one paragraph), stop, or the path of your own text',
  article_shadow: 'approve, reject REASON, or stop',
};

/** Whether this is a question about an article. */
export const isOfArticle = ({ decision_type: type }: Decision): boolean => Object.hasOwn(YES, type);

/** The answer that accepts whatever the question is about. */
export const accepting = ({ decision_type: type }: Decision): ArticleAnswer => ({ action: YES[type] });

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
  const help = HELP[decision.decision_type]!;
  const question = `${describeDecision(decision)}\n${decision.question}`;
  const read = (typed: string) => readTyped(decision, typed);
  const answer = await askAtTerminal(question, signal, (ask) => ask(help, help, read), terminal);
  if (!answer) throw new CliError('Nobody answers; the run is kept.');
  return answer;
}

/** What a person typed, as the service takes it; undefined when it is none of what can be said. */
async function readTyped(decision: Decision, typed: string): Promise<ArticleAnswer | undefined> {
  const { decision_type: type } = decision;
  if (typed === YES[type] || typed === 'stop') return { action: typed };
  const [word, ...words] = typed.split(' ').filter((each) => each !== '');
  if (word === 'reject') return rejected(decision, words);
  const text = await textOf(typed);
  if (text === undefined) return undefined;
  if (type === 'article_draft') return { action: 'edit', text };
  if (type !== 'article_research') return undefined;
  const headings = headingsIn(text);
  return headings.length > 0 ? { action: 'approve', headings } : undefined;
}

/** `reject REASON`, or of a draft `reject NUMBER REASON`. */
function rejected({ decision_type: type, details }: Decision, words: string[]): ArticleAnswer | undefined {
  const isNumbered = type === 'article_draft' && /^\d{1,4}$/.test(words[0] ?? '');
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

/** The text of a file; undefined when there is none of that path. */
async function textOf(path: string): Promise<string | undefined> {
  const info = path === '' ? undefined : await stat(path).catch(() => undefined);
  return info?.isFile() ? readFile(path, 'utf8') : undefined;
}
