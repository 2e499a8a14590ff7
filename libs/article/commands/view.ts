import { singleSpaced } from '#contracts/text.js';
import { isPhraseCode, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { renderText, translate } from '#cli/language.js';
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
      `  ${translate(phrase('style.deviation', { measure: nameOf('measure', measure), here: round(here), there: round(there) }))}`,
  );
  return [
    `${pc.dim(translate(phrase('style.model')))} ${translate(phrase('style.by_rules'))}`,
    `${pc.dim(translate(phrase('style.corpus')))} ${translate(corpus ? aboutCorpus(corpus) : phrase('style.no_corpus'))}`,
    '',
    ...lines,
    ...(whole.length > 0 ? [pc.bold(translate(phrase('style.whole_text'))), ...whole, ''] : []),
    translate(phrase('style.summary', { count: annotations.length, applied: applied.length, file: output })),
    '',
  ].join('\n');
}

function aboutCorpus({ texts, language, left_out: leftOut }: Fingerprint): Phrase {
  const corpus = phrase('style.corpus_texts', { count: texts, language });
  return leftOut > 0 ? phrase('style.corpus_skipped', { corpus, number: leftOut }) : corpus;
}

/** Returns the name of a measure or habit; names of newer releases in English. */
const nameOf = (kind: 'measure' | 'habit', name: string): string =>
  translate(
    isPhraseCode(`style_${kind}.${name}`)
      ? { code: `style_${kind}.${name}`, params: {} }
      : phrase('style.name', { name: name.replaceAll('_', ' ') }),
  );

function renderAnnotation(text: string, one: Finding, draft: string, isApplied: boolean): string[] {
  const { start, end } = one.span!;
  const before = text.slice(0, start);
  const line = before.split('\n').length;
  const column = start - before.lastIndexOf('\n');
  const words = singleSpaced(text.slice(start, end));
  const shown = words.length > QUOTED ? `${words.slice(0, QUOTED)}…` : words;
  const change =
    one.suggestion === null
      ? []
      : [
          `    ${pc.red(JSON.stringify(shown))} → ${pc.green(JSON.stringify(one.suggestion))}${isApplied ? pc.dim(` ${translate(phrase('style.applied'))}`) : ''}`,
        ];
  const evidence = one.evidence.map((evidence) =>
    pc.dim(
      `    ${translate(phrase('style.in_corpus', { text: renderText(evidence.phrase, evidence.text) }))}`,
    ),
  );
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
      `  ${nameOf('measure', name).padEnd(34)} ${round(mean).padStart(8)}  ± ${round(spread)}`,
  );
  const habits = Object.entries(corpus.habits)
    .filter(([, forms]) => forms.length > 0)
    .map(
      ([name, forms]) =>
        `  ${nameOf('habit', name).padEnd(34)} ${forms.map(({ form, times }) => `${form.trim()} (${times})`).join(', ')}`,
    );
  const counted = (all: { word: string; times: number }[]) =>
    `  ${all.map(({ word, times }) => `${word} (${times})`).join(', ')}`;
  const section = (title: Phrase, lines: string[]) =>
    lines.length > 0 ? ['', pc.bold(translate(title)), ...lines] : [];
  return [
    translate(phrase('style.size', { count: corpus.texts, words: corpus.words, language: corpus.language })),
    ...section(phrase('style.measures'), measures),
    ...section(phrase('style.habits'), habits),
    ...section(phrase('style.terms'), [
      counted(corpus.terms.slice(0, SHOWN).map(({ term, times }) => ({ word: term, times }))),
    ]),
    ...section(phrase('style.connectives'), [counted(corpus.connectives.slice(0, SHOWN))]),
    ...section(phrase('style.vocabulary'), [counted(corpus.vocabulary.slice(0, SHOWN))]),
    ...section(
      phrase('style.openings'),
      corpus.openings.slice(0, 5).map((text) => `  ${text}`),
    ),
    ...section(
      phrase('style.closings'),
      corpus.closings.slice(0, 5).map((text) => `  ${text}`),
    ),
    '',
  ].join('\n');
}

const round = (value: number): string => (Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2));
