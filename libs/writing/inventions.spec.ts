import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  honestLanguages,
  honestSections,
  rewordSentences,
  type HonestLanguage,
} from '#testing/writing/honest.js';
import { inventionKinds, inventionsOf, type Invention } from '#testing/writing/inventions.js';
import { checkCitations, type CitedPassage } from './citations.js';

/** Returns whole numbers below `n`, the same ones in each run. */
function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Sources of the repository, which `rewordSentences` writes in other notation. */
const SOURCES = [
  ...['notes', 'paper', 'interview', 'letters'].map((name) => `book/${name}`),
  ...['01-queues', '02-migrations', '03-alerts', '04-reviews'].map((name) => `article/corpus/${name}`),
  ...['01-kolejki', '02-migracje', '03-alarmy', '04-przeglady'].map((name) => `article/corpus-pl/${name}`),
];

interface Outcome extends Invention {
  isFound: boolean;
}

/** Writes a chapter of honest sentences with inventions among them, and returns which of these the rules find. */
function chapterWithInventions(chapter: number, language: HonestLanguage): Outcome[] {
  const random = seeded(chapter + 1);
  const sections = honestSections(language);
  const inventions = inventionsOf(chapter, language, random);
  const paragraphs = sections.map(({ cited, connecting, passage }) => [
    ...cited.map((text) => withNote(text, passage.label)),
    ...connecting,
  ]);
  for (const { text, isCited } of inventions) {
    const at = random(paragraphs.length);
    const paragraph = paragraphs[at]!;
    paragraph.splice(random(paragraph.length + 1), 0, isCited ? withNote(text, `s${at + 1}`) : text);
  }
  const text = sections
    .map(({ passage }, n) => `## ${passage.heading_path[0]}\n\n${paragraphs[n]!.join(' ')}`)
    .join('\n\n');
  const { findings } = checkCitations(text, passagesOf(sections));
  const found = findings.flatMap(({ span }) => (span ? [text.slice(span.start, span.end)] : []));
  return inventions.map((invention) => ({
    ...invention,
    isFound: found.some((words) => words.startsWith(invention.text.slice(0, -1))),
  }));
}

const withNote = (sentence: string, label: string): string => `${sentence}[^${label}]`;
const passagesOf = (sections: { passage: CitedPassage }[]): CitedPassage[] =>
  sections.map(({ passage }) => passage);

describe('B26 inventions among honest sentences', () => {
  let outcomes: Outcome[];
  beforeAll(() => {
    outcomes = Array.from({ length: 30 }, (_, n) => chapterWithInventions(n, honestLanguages[n % 3]!)).flat();
  });

  const share = (of: Outcome[]) => of.filter(({ isFound }) => isFound).length / of.length;
  const missed = (of: Outcome[]) =>
    of.filter(({ isFound }) => !isFound).map(({ kind, text }) => `${kind}: ${text}`);

  it('B26 reports 95 of 100 uncited inventions, of each kind and language', () => {
    expect(outcomes).toHaveLength(300);
    const uncited = outcomes.filter(({ isCited }) => !isCited);
    expect([missed(uncited), share(uncited) >= 0.95]).toEqual([expect.any(Array), true]);
    for (const kind of inventionKinds)
      expect([kind, share(uncited.filter((one) => one.kind === kind)) >= 0.9]).toEqual([kind, true]);
  });

  it('B26 reports 95 of 100 figures, dates, names and quotations that the cited passage lacks', () => {
    const hard = new Set(['figure', 'date', 'name', 'quotation']);
    const cited = outcomes.filter(({ isCited, kind }) => isCited && hard.has(kind));
    expect(cited.length).toBeGreaterThan(90);
    expect([missed(cited), share(cited) >= 0.95]).toEqual([expect.any(Array), true]);
  });

  it.each(honestLanguages)('B26 reports 9 of 10 names that no passage contains, in %s', (language) => {
    const names = outcomes.filter(
      ({ kind }, n) => kind === 'name' && honestLanguages[Math.floor(n / 10) % 3] === language,
    );
    expect([missed(names), share(names) >= 0.9]).toEqual([expect.any(Array), true]);
  });

  it('B26 reports at most 2 of 1,000 honest sentences, in three languages', () => {
    const wrong = honestLanguages.flatMap((language) => {
      const sections = honestSections(language);
      const text = sections
        .map(({ cited, connecting, passage }) => [
          `## ${passage.heading_path[0]}`,
          cited.map((sentence) => withNote(sentence, passage.label)).join(' '),
          connecting.join(' '),
        ])
        .flat()
        .join('\n\n');
      return findingsOf(text, passagesOf(sections));
    });
    const sentences = honestLanguages
      .flatMap(honestSections)
      .flatMap(({ cited, connecting }) => [...cited, ...connecting]);
    const rewordings = SOURCES.map((file) => {
      const text = readFileSync(new URL(`../../examples/${file}.md`, import.meta.url), 'utf8');
      return { text, sentences: rewordSentences(text) };
    });
    const wrongly = rewordings.flatMap(({ text, sentences: written }) =>
      findingsOf(written.map((sentence) => withNote(sentence, 's1')).join('\n\n'), [wholeSource(text)]),
    );
    const count = sentences.length + rewordings.reduce((sum, one) => sum + one.sentences.length, 0);
    expect(count).toBeGreaterThanOrEqual(1_000);
    const findings = [...wrong, ...wrongly];
    expect([findings, findings.length <= (count / 1_000) * 2]).toEqual([expect.any(Array), true]);
  });
});

describe('B26 a chapter that was written by hand from passages', () => {
  it('B26 has no finding', () => {
    const text = readFileSync(new URL('../../test/fixtures/honest/chapter.md', import.meta.url), 'utf8');
    const [notes, paper] = ['notes', 'paper'].map((name) =>
      readFileSync(new URL(`../../examples/book/${name}.md`, import.meta.url), 'utf8'),
    ) as [string, string];
    const source = { s1: paper, s2: notes, s5: paper, s7: notes, s10: paper };
    const passages = Object.entries(source).map(([label, words]) => ({ ...wholeSource(words), label }));
    expect(findingsOf(text, passages)).toEqual([]);
  });
});

function findingsOf(text: string, passages: CitedPassage[]): string[] {
  return checkCitations(text, passages).findings.map(
    ({ rule, message, span }) => `${rule}: ${message} ${text.slice(span?.start ?? 0, span?.end ?? 0)}`,
  );
}

const wholeSource = (text: string): CitedPassage => ({
  label: 's1',
  source_id: 'src_1',
  source_title: '',
  text,
  span: { start: 0, end: text.length },
  heading_path: [],
});
