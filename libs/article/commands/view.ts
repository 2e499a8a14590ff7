import { renderText } from '#cli/language.js';
import type { Finding } from '#contracts/findings.js';
import type { Fingerprint, StyleReport } from '#contracts/style.js';
import pc from 'picocolors';

/** Maximum length of a quotation, in characters. */
const QUOTED = 70;
/** Maximum number of words in a list. */
const SHOWN = 15;

/** Renders a review for a terminal: findings in order, with position, reason, suggestion and evidence. */
export function renderReview(
  text: string,
  { annotations, applied, deviations }: StyleReport,
  corpus: Fingerprint | null,
  draft: string,
  output: string,
): string {
  const done = new Set(applied);
  const lines = annotations.flatMap((one) => renderAnnotation(text, one, draft, done.has(one.id)));
  const whole = deviations.map(
    ({ measure, text: here, corpus: there }) =>
      `  ${measure.replaceAll('_', ' ')}: ${round(here)} here, ${round(there)} in the corpus`,
  );
  return [
    `${pc.dim('model:')} style rules, no model`,
    `${pc.dim('corpus:')} ${corpus ? aboutCorpus(corpus) : 'none, general rules'}`,
    '',
    ...lines,
    ...(whole.length > 0 ? [pc.bold('Whole text'), ...whole, ''] : []),
    `${annotations.length} findings, ${applied.length} of them applied. Corrected text: ${output}`,
    '',
  ].join('\n');
}

const aboutCorpus = ({ texts, language, left_out: leftOut }: Fingerprint): string =>
  `${texts} texts (${language}${leftOut > 0 ? `; ${leftOut} in another language skipped` : ''})`;

function renderAnnotation(text: string, one: Finding, draft: string, isApplied: boolean): string[] {
  const { start, end } = one.span!;
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - before.lastIndexOf('\n');
  const words = text.slice(start, end).replace(/\s+/g, ' ');
  const shown = words.length > QUOTED ? `${words.slice(0, QUOTED)}…` : words;
  const change =
    one.suggestion === null
      ? []
      : [
          `    ${pc.red(JSON.stringify(shown))} → ${pc.green(JSON.stringify(one.suggestion))}${isApplied ? pc.dim(' (applied)') : ''}`,
        ];
  const evidence = one.evidence.map((evidence) => pc.dim(`    in the corpus: ${evidence.text}`));
  return [
    `${pc.cyan(`${draft}:${line}:${column}`)} ${pc.yellow(one.rule)} ${renderText(one.phrase, one.message)}`,
    ...(change.length > 0 ? change : [pc.dim(`    ${shown}`)]),
    ...evidence,
    '',
  ];
}

/** Renders the fingerprint of a corpus as a table. */
export function renderFingerprint(corpus: Fingerprint): string {
  const measures = Object.entries(corpus.measures).map(
    ([name, { mean, spread }]) =>
      `  ${name.replaceAll('_', ' ').padEnd(34)} ${round(mean).padStart(8)}  ± ${round(spread)}`,
  );
  const habits = Object.entries(corpus.habits)
    .filter(([, forms]) => forms.length > 0)
    .map(
      ([name, forms]) =>
        `  ${name.replaceAll('_', ' ').padEnd(34)} ${forms.map(({ form, times }) => `${form.trim()} (${times})`).join(', ')}`,
    );
  const counted = (all: { word: string; times: number }[]) =>
    `  ${all.map(({ word, times }) => `${word} (${times})`).join(', ')}`;
  const section = (title: string, lines: string[]) =>
    lines.length > 0 ? ['', pc.bold(title), ...lines] : [];
  return [
    `${corpus.texts} texts of ${corpus.words} words, language ${corpus.language}`,
    ...section('Measures', measures),
    ...section('Habits', habits),
    ...section('Names and terms', [
      counted(corpus.terms.slice(0, SHOWN).map(({ term, times }) => ({ word: term, times }))),
    ]),
    ...section('Connectives', [counted(corpus.connectives.slice(0, SHOWN))]),
    ...section('Frequent words', [counted(corpus.vocabulary.slice(0, SHOWN))]),
    ...section(
      'Openings',
      corpus.openings.slice(0, 5).map((text) => `  ${text}`),
    ),
    ...section(
      'Closings',
      corpus.closings.slice(0, 5).map((text) => `  ${text}`),
    ),
    '',
  ].join('\n');
}

const round = (value: number): string => (Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2));
