import { hardTokens } from '#verbatim/source/tokens.js';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anyMarkdown } from '#testing/any-markdown.js';
import { fingerprintOf, settledForm } from './fingerprint.js';
import { reviewGenerally, reviewStyle } from './review.js';
import { depotSet, magazineSet, type SeededDraft } from '#testing/style/drafts.js';
import { museumCorpus } from '#testing/style/museum.js';
import { observatoryCorpus } from '#testing/style/observatory.js';

const EXAMPLES = join(import.meta.dirname, '../../../examples/article');

const corpusOf = (folder: string) =>
  fingerprintOf(
    readdirSync(join(EXAMPLES, folder)).map((name) => ({
      title: name,
      text: readFileSync(join(EXAMPLES, folder, name), 'utf8'),
    })),
  );
const corpora = { en: corpusOf('corpus'), pl: corpusOf('corpus-pl') };
const titled = (texts: string[]) => texts.map((text, index) => ({ title: `${index}`, text }));
const magazines = { en: fingerprintOf(titled(museumCorpus)), pl: fingerprintOf(titled(observatoryCorpus)) };

const touches = (a: { start: number; end: number }, b: { start: number; end: number }) =>
  a.start < b.end && b.start < a.end;

/** Which of the seeded places were found, and which annotations are at no seeded place. */
function compare({ text, language, seeded }: SeededDraft, of: typeof corpora) {
  const { annotations } = reviewStyle(text, of[language]);
  const isFound = ({ rule, ...place }: SeededDraft['seeded'][number]) =>
    annotations.some((one) => one.rule === rule && touches(one.span!, place));
  return {
    missed: seeded
      .filter((one) => !isFound(one))
      .map((one) => `${one.rule}: ${text.slice(one.start, one.end)}`),
    wrong: annotations
      .filter((one) => !seeded.some((place) => place.rule === one.rule && touches(one.span!, place)))
      .map((one) => `${one.rule}: ${text.slice(one.span!.start, one.span!.end)}`),
    annotations: annotations.length,
  };
}

describe('A9 the fingerprint of a corpus', () => {
  it('measures languages, lengths and habits of the texts', () => {
    const { en, pl } = corpora;
    expect([en.language, en.texts, pl.language, pl.texts]).toEqual(['en', 4, 'pl', 4]);
    expect(settledForm(en, 'quotation_marks')).toBe('“…”');
    expect(settledForm(pl, 'quotation_marks')).toBe('„…”');
    expect(settledForm(en, 'date_format')).toBe('14 March 2026');
    expect(settledForm(pl, 'date_format')).toBe('14 marca 2026');
    expect([settledForm(en, 'decimal_mark'), settledForm(pl, 'decimal_mark')]).toEqual(['3.5', '3,5']);
    expect([settledForm(en, 'thousands'), settledForm(pl, 'thousands')]).toEqual(['1,000', '1 000']);
    expect(settledForm(en, 'heading_case')).toBe('Sentence case');
    expect(en.measures.sentence_words.mean).toBeGreaterThan(8);
    expect(en.measures.sentence_words.mean).toBeLessThan(16);
    expect(en.measures.first_person_singular_per_1000.mean).toBe(0);
    expect(en.terms.map(({ term }) => term)).toEqual(
      expect.arrayContaining(['PostgreSQL', 'Larkfield', 'GitHub']),
    );
    expect(en.openings).toContain('A table with 2,400,000 rows cannot be locked for a minute.');
  });

  it('reports nothing about the texts of the corpus themselves', () => {
    for (const [language, folder] of [
      ['en', 'corpus'],
      ['pl', 'corpus-pl'],
    ] as const)
      for (const name of readdirSync(join(EXAMPLES, folder))) {
        const text = readFileSync(join(EXAMPLES, folder, name), 'utf8');
        const { annotations, corrected } = reviewStyle(text, corpora[language]);
        expect([name, annotations.map(({ rule, message }) => `${rule}: ${message}`)]).toEqual([name, []]);
        expect(corrected).toBe(text);
      }
  });

  it('reports nothing about the magazines, which have other conventions', () => {
    for (const [language, texts] of [
      ['en', museumCorpus],
      ['pl', observatoryCorpus],
    ] as const)
      for (const text of texts) {
        const { annotations } = reviewStyle(text, magazines[language]);
        expect(annotations.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
      }
  });

  it('skips texts in another language, and reports them', () => {
    const mixed = fingerprintOf([
      { title: 'a', text: 'The depot is in the town and it has a gate of its own for the lorries.' },
      { title: 'b', text: 'The printer is at the gate and it is fast, as they say in the depot.' },
      { title: 'c', text: 'Magazyn jest w mieście i nie ma tam bramy, ale jest za to drukarka.' },
    ]);
    expect([mixed.language, mixed.texts, mixed.left_out]).toEqual(['en', 2, 1]);
  });
});

describe('A7 the review of a draft, by rules alone', () => {
  for (const [what, drafts, of] of [
    ['twenty short drafts for the example corpora', depotSet, corpora],
    ['twenty longer drafts for two magazines of other conventions', magazineSet, magazines],
  ] as const) {
    const compared = drafts.map((draft) => compare(draft, of));
    const seeded = drafts.reduce((sum, draft) => sum + draft.seeded.length, 0);
    const missed = compared.flatMap((one) => one.missed);
    const wrong = compared.flatMap((one) => one.wrong);
    const annotations = compared.reduce((sum, one) => sum + one.annotations, 0);
    const figures = `${seeded - missed.length} of ${seeded} found, ${wrong.length} of ${annotations} false`;

    it(`finds at least 90 % of what an editor would in ${what}, with at most 10 % false alarms (${figures})`, () => {
      expect(drafts).toHaveLength(20);
      expect(seeded).toBeGreaterThan(60);
      expect({ missed, share: missed.length / seeded <= 0.1 }).toEqual({ missed, share: true });
      expect({ wrong, share: wrong.length / annotations <= 0.1 }).toEqual({ wrong, share: true });
    });
  }

  it('applies only mechanical and safe corrections, and lists them', () => {
    const text = 'The the depot said "nothing" on 2026-01-02 - at `a - b` it costs 1,5.';
    const { corrected, applied, annotations } = reviewStyle(text, corpora.en);
    expect(corrected).toBe('The depot said “nothing” on 2026-01-02 – at `a - b` it costs 1,5.');
    const rules = annotations.filter(({ id }) => applied.includes(id)).map(({ rule }) => rule);
    expect(rules).toEqual(['repeated_word', 'quotation_marks', 'dash']);
    expect(annotations.find(({ rule }) => rule === 'date_format')!.suggestion).toBe('2 January 2026');
    expect(annotations.find(({ rule }) => rule === 'decimal_mark')!.suggestion).toBe('1.5');
  });

  it('does not mistake a time of day for a decimal, and recognizes a dash after a quotation', () => {
    const found = (text: string, language: keyof typeof corpora) =>
      reviewStyle(text, corpora[language])
        .annotations.filter(({ rule }) => ['decimal_mark', 'dash'].includes(rule))
        .map(({ span }) => text.slice(span!.start, span!.end));
    expect(found('Zmiana trwa w godz. 8.30–16.45. O godzinie 22.15 drukarki stają.', 'pl')).toEqual([]);
    expect(found('Kopiowanie trwało 3.5 godziny.', 'pl')).toEqual(['3.5']);
    expect(found('„To był spokojny tydzień” - powiedział zespół.', 'pl')).toEqual([' - ']);
    expect(found('The team called it “a quiet week” - at last.', 'en')).toEqual([' - ']);
    expect(found('The table holds `a` - `b`, and - `c`.', 'en')).toEqual([]);
    expect(found('The depot opens at 8.30 am.', 'en')).toEqual([]);
  });

  it('changes no code, quotation, address or figure, whatever the text', () => {
    const tokens = (text: string) =>
      hardTokens(text)
        .filter(({ kind }) => ['number', 'url', 'path', 'identifier', 'quote', 'date'].includes(kind))
        .map(({ kind, key }) => `${kind} ${key}`);
    const fences = (text: string) => [...text.matchAll(/```[^]*?```|`[^`\n]+`/g)].map(String);
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        const { corrected, annotations } = reviewStyle(text, corpora.en);
        expect(tokens(corrected)).toEqual(tokens(text));
        expect(fences(corrected)).toEqual(fences(text));
        for (const { span } of annotations) expect(span!.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 200 },
    );
  });

  it('reports the deviations of the whole text, largest first', () => {
    const shouting =
      'I say so! I mean it! I know it! I am right! I was there! I saw it! I did! I will! I can! I do!';
    const { deviations } = reviewStyle(shouting, corpora.en);
    const names = deviations.map(({ measure }) => measure);
    expect(names).toEqual(
      expect.arrayContaining(['exclamations_per_1000', 'first_person_singular_per_1000', 'sentence_words']),
    );
    expect(Math.abs(deviations[0]!.distance)).toBeGreaterThanOrEqual(Math.abs(deviations.at(-1)!.distance));
  });

  it.each([
    ['YAML', '---\ntitle: The the lamp , lit\ntags: [sea  light]\n---\n'],
    ['TOML', '+++\ntitle = "The the lamp , lit"\ntags = ["sea  light"]\n+++\n'],
  ])('A7 does not change front matter in %s', (_, head) => {
    const text = `${head}\nThe lamp is is lit.\n`;
    for (const { corrected, annotations } of [reviewStyle(text, corpora.en), reviewGenerally(text)]) {
      expect(corrected).toBe(`${head}\nThe lamp is lit.\n`);
      for (const { span } of annotations) expect(span!.start).toBeGreaterThanOrEqual(head.length);
    }
  });

  it('A7 finds typing errors and skipped headings by general rules, without a corpus', () => {
    const { annotations, corrected, deviations } = reviewGenerally(
      '# Lampy\n\n### Niżej\n\nTo jest jest zdanie , po polsku.\n',
    );
    expect(annotations.map(({ rule }) => rule)).toEqual([
      'heading_level',
      'repeated_word',
      'space_before_mark',
    ]);
    expect(corrected).toContain('To jest zdanie, po polsku.');
    expect(deviations).toEqual([]);
  });

  it('reports nothing about a text in a language that the corpus lacks', () => {
    const { annotations, corrected } = reviewStyle(
      'To jest jest zdanie po polsku i nie ma w nim nic o magazynie.',
      corpora.en,
    );
    expect([annotations, corrected]).toEqual([
      [],
      'To jest jest zdanie po polsku i nie ma w nim nic o magazynie.',
    ]);
  });
});
