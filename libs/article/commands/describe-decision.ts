import { withoutHeadingMark } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Finding } from '#contracts/findings.js';
import { translate } from '#cli/language.js';
import { findingText } from '#cli/outputs/finding-text.js';
import type { ResearchSource } from '../contract/values.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { Decision } from '#cli/answers/choices.js';
import type { ResearchQuestion, SourceConflict } from '#contracts/research.js';

type Heading = { level: number; title: string };
type ShownSource = Pick<ResearchSource, 'label' | 'title' | 'author' | 'date' | 'url'>;

type DecisionDetails = {
  article: { topic: string; date: string };
  report: string;
  headings: Heading[];
  draft: string;
  findings: Finding[];
  questions?: ResearchQuestion[];
  conflicts?: SourceConflict[];
  sources?: ShownSource[];
  annotated_text: string;
};

/** Returns the details of a decision about an article as text; the paragraphs of a draft are numbered. */
export function describeDecision({ decision_type: type, details }: Decision): string {
  const shown = details as DecisionDetails;
  switch (type) {
    case 'article_duplicate':
      return `${translate(
        phrase('out.article_exists', { topic: shown.article.topic, date: shown.article.date.slice(0, 10) }),
      )}\n`;
    case 'article_research':
      return `${shown.report}\n${translate(phrase('out.headings'))}\n${shown.headings.map(({ level, title }) => `${'#'.repeat(level)} ${title}`).join('\n')}\n${sourceLines(shown)}${notes(shown)}${remarks(shown)}`;
    case 'article_draft':
      return `${numbered(shown.draft)}\n${remarks(shown)}`;
    default:
      return `${shown.annotated_text}\n`;
  }
}

const remarks = ({ findings }: DecisionDetails): string =>
  findings.map((found) => `! ${findingText(found)}\n`).join('');

/** Lists the sources whose labels the report cites. */
function sourceLines({ sources = [] }: DecisionDetails): string {
  if (sources.length === 0) return '';
  const lines = sources.map((source) => `[${source.label}] ${origin(source)}  ${source.url}\n`);
  return `${translate(phrase('out.sources'))}\n${lines.join('')}`;
}

const origin = ({ title, author, date }: ShownSource): string =>
  [title, author, date].filter(Boolean).join(', ');

/** Lists the questions that are open, and the sides of each conflict with their sources. */
function notes({ questions = [], conflicts = [], sources = [] }: DecisionDetails): string {
  const byLabel = new Map(sources.map((source) => [source.label, source]));
  const side = ({ label, quote }: SourceConflict['sides'][number]) => {
    const source = byLabel.get(label);
    return `[${label}] "${quote}"${source ? ` (${origin(source)})` : ''}`;
  };
  const open = questions.filter(({ status }) => status === 'open');
  const lines = [
    ...open.map(({ perspective, question }) => `? ${question} (${perspective})`),
    ...conflicts.map(
      ({ about, sides }) =>
        `! ${translate(
          phrase('out.sources_disagree', {
            about,
            sides: sides.map(side).join('; '),
          }),
        )}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function numbered(draft: string): string {
  return splitParagraphs(draft)
    .map(({ text }, n) => `[${n + 1}] ${text}\n`)
    .join('\n');
}

/** Returns the headings of levels 1 to 4 of a markdown text. */
export function headingsIn(markdown: string): Heading[] {
  return splitParagraphs(markdown).flatMap(({ kind, level, text }) => {
    const title = withoutHeadingMark(text).split('\n')[0]!.trim();
    return kind === 'heading' && level <= 4 && title !== '' ? [{ level, title }] : [];
  });
}
