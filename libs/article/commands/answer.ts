import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { readFile, stat } from 'node:fs/promises';
import type { Decision } from '#cli/answers/choices.js';
import { askAtTerminal, type Terminal } from '#cli/answers/terminal.js';
import { CliError } from '#cli/cli-error.js';
import { describeDecision, headingsIn } from './describe-decision.js';
import { renderText, translate } from '#cli/language.js';

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
export const isOfArticle = ({ decision_type: type }: Decision): boolean => Object.hasOwn(YES, type);

/** Returns the answer that approves or accepts. */
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

/** Returns the text of a file; undefined if the path does not lead to a file. */
async function textOf(path: string): Promise<string | undefined> {
  const info = path === '' ? undefined : await stat(path).catch(() => undefined);
  return info?.isFile() ? readFile(path, 'utf8') : undefined;
}
