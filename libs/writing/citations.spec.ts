import { describe, expect, it } from '@jest/globals';
import { type CitedPassage, checkCitations } from './citations.js';
import { noteLabels, sentencesIn } from './sentences.js';

const passage = (label: string, text: string): CitedPassage => ({
  label,
  text,
  source_id: `src-${label}`,
  source_title: 'Notes',
  span: { start: 0, end: text.length },
  heading_path: ['Lamps'],
});
const PASSAGES = [
  passage(
    's1',
    'The lamp at Marrow Point was lit in March 1871 by Ada Finch. It burned 12 litres of oil a night.',
  ),
  passage(
    's2',
    'Finch wrote: "I have not slept since the fog came in," and left. W latarni mieszkał Jan Kowalski.',
  ),
];
const rules = (text: string) => checkCitations(text, PASSAGES).findings.map(({ rule }) => rule);

describe('B26 citations and the passages that they cite', () => {
  it('B26 accepts a sentence whose figures, names and dates are in the cited passage', () => {
    const report = checkCitations(
      'In March 1871 Ada Finch lit the lamp.[^s1] It burned 12 litres.[^s1]\n',
      PASSAGES,
    );
    expect(report).toMatchObject({ findings: [], statements: 2, supported: 2, coverage: 1, cited: ['s1'] });
  });

  it('B26 accepts the author and the year of the cited source', () => {
    const source = {
      ...passage('s1', 'The lamp was lit in 1871.'),
      author: 'Irena Pohl',
      date: '2014-09-12',
    };
    const found = (text: string) => checkCitations(text, [source]).findings.map(({ rule }) => rule);
    expect(found('According to Irena Pohl (2014), the lamp was lit in 1871.[^s1]')).toEqual([]);
    expect(found('According to Tomas Lind (1998), the lamp was lit in 1871.[^s1]').length).toBeGreaterThan(0);
    expect(found('Irena Pohl published this in September 2014.')).not.toEqual([]);
  });

  it('X15 leaves figures and dates open, and reports names and quotations that no passage has, with place and passage', () => {
    const text = 'Before.\n\nIn April 1871 Berta Finch said "I have slept" over 13 litres.[^s1]\n';
    const { findings, coverage } = checkCitations(text, PASSAGES);
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`).sort()).toEqual([
      'citation-open-date info',
      'citation-open-number info',
      'citation-unsupported-name error',
      'citation-unsupported-quote error',
    ]);
    const span = findings[0]?.span ?? { start: 0, end: 0 };
    expect(text.slice(span.start, span.end)).toBe(
      'In April 1871 Berta Finch said "I have slept" over 13 litres.[^s1]',
    );
    expect(findings[0]?.evidence[0]?.of).toBe('src-s1');
    expect(coverage).toBe(0);
  });

  it('B26 recognizes inflected names and shortened quotations', () => {
    expect(rules('Do Jana Kowalskiego nikt nie pisał.[^s2]\n')).toEqual([]);
    expect(rules('Finch wrote "I have not slept … came in".[^s2]\n')).toEqual([]);
    expect(rules('Finch wrote "I have slept … came in".[^s2]\n')).toEqual(['citation-unsupported-quote']);
  });

  it('B26 reports a citation of an unknown passage, and computes coverage from the prose', () => {
    const report = checkCitations(
      'It burned 12 litres.[^s1] It cost 40 pounds. It was light. So it was.[^s9]\n',
      PASSAGES,
    );
    expect(report.findings.map(({ rule }) => rule)).toEqual(['citation-missing-number', 'citation-unknown']);
    expect([report.statements, report.supported]).toEqual([2, 1]);
  });

  it('B26 reports an uncited figure and name, and the passage that contains them', () => {
    const invented = 'The tower was 93 metres high and was opened by Queen Beatrix on 5 June 1999.\n';
    expect(checkCitations(invented, PASSAGES).findings).toEqual([
      expect.objectContaining({ rule: 'citation-missing-date', severity: 'warning', evidence: [] }),
    ]);
    const [honest] = checkCitations('The lamp took 12 litres of oil.\n', PASSAGES).findings;
    expect(honest).toMatchObject({ rule: 'citation-missing-number', evidence: [{ of: 'src-s1' }] });
    expect(checkCitations(invented, []).findings).toEqual([]);
    expect(checkCitations(invented, PASSAGES, { needsSources: false }).findings).toEqual([]);
  });

  it('B26 requires no citation for known names, statements about the text itself, and words of a passage', () => {
    const known = { known: 'A book on the Hebrides, for Berta' };
    expect(checkCitations('It is quiet in the Hebrides, Berta.\n', PASSAGES, known).findings).toEqual([]);
    expect(rules('# Ullapool\n\nWho came to Ullapool?\n')).toEqual([]);
    expect(rules('This chapter has three parts, because chapter 2 was long.\n')).toEqual([]);
    expect(rules('It burned 12 litres of oil a night.\n')).toEqual([]);
  });

  it.each([
    ['It burned twelve litres.[^s1]', []],
    ['It was lit in 1871, in the month of March.[^s1]', []],
    ['In marzec 1871 it burned 12.0 litres.[^s1]', []],
    ['It burned 1,200 centilitres, that is 12 l.[^s1]', ['citation-open-number']],
    ['It burned about 12,000 ml.[^s1]', []],
    ['It burned 12 gallons, 12 kg.[^s1]', ['citation-open-number']],
    ['It burned 12 million litres.[^s1]', ['citation-open-number']],
    ['It burned two and a half litres.[^s1]', ['citation-open-number']],
  ])('B26 compares the figures of %j in any notation', (text, expected) => {
    expect(rules(`${text}\n`)).toEqual(expected);
  });

  it('X15 leaves a name open that another passage has, and names that passage', () => {
    const [found] = checkCitations('Jan Kowalski lit the lamp.[^s1]\n', PASSAGES).findings;
    expect(found).toMatchObject({
      rule: 'citation-open-name',
      severity: 'info',
      suggestion_phrase: { params: { label: 's2' } },
    });
  });

  it('reads sentences in lists, quotations and table rows with their exact spans', () => {
    const text =
      'A first, e.g. this. A\nsecond one![^s1][^s2] Third\n\n- An item.\n  Its end.\n\n> Said so.\n> Twice.\n\n```\nNo. Not.\n```\n';
    const found = sentencesIn(text);
    expect(found.map((sentence) => sentence.text)).toEqual([
      'A first, e.g. this.',
      'A\nsecond one![^s1][^s2]',
      'Third',
      'An item.',
      'Its end.',
      '> Said so.',
      'Twice.',
    ]);
    for (const { start, end, text: words } of found) expect(text.slice(start, end)).toBe(words);
    expect(noteLabels(found[1]?.text ?? '')).toEqual(['s1', 's2']);
  });
});
