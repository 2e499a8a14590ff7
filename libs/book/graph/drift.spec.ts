import { describe, expect, it } from '@jest/globals';
import { checkDrift } from './drift.js';
import type { ChapterText } from './texts.js';

const section = (title: string, sentences: string[]) => `## ${title}\n\n${sentences.join(' ')}\n`;
const PLAIN = [
  'The lamp was lit at dusk.',
  'The keeper climbed the stairs.',
  'He wrote down the hour.',
  'The sea was calm.',
];
const accepted = (number: number, content: string): ChapterText => ({
  chapter_id: `cha_${number}`,
  number,
  title: `Chapter ${number}`,
  accepted: true,
  byModel: true,
  content,
  facts: [],
  citations: [],
});
const FIRST = accepted(
  1,
  [
    section('Dusk', [...PLAIN, ...PLAIN]),
    section('Night', [...PLAIN, ...PLAIN]),
    section('Dawn', [...PLAIN, ...PLAIN]),
  ].join('\n'),
);
const rules = (...args: Parameters<typeof checkDrift>) => checkDrift(...args).map(({ rule }) => rule);

describe('style drift', () => {
  it('B26 reports the paragraph where a draft deviates from the style of the first accepted chapter', () => {
    const chatty =
      'You should see it! You would love your own lamp, and you will want to keep you and yours by it!';
    const draft = `## Noon\n\n${PLAIN.join(' ')}\n\n${chatty} ${chatty}\n`;
    const [found] = checkDrift(draft, {}, [FIRST]);
    expect(found).toMatchObject({ rule: 'style_drift', severity: 'warning' });
    expect(draft.slice(found!.span!.start, found!.span!.end)).toContain('You should see it!');
    expect(found!.evidence[0]).toMatchObject({ of: 'cha_1' });
    expect(found!.paragraph_id).not.toBeNull();
  });

  it('B26 reports nothing for a draft in the same style, and compares only with the first accepted chapter', () => {
    const draft = section('Noon', [...PLAIN, ...PLAIN]);
    expect(rules(draft, {}, [FIRST])).toEqual([]);
    const other = accepted(2, section('A', ['You! You! You!']) + section('B', ['Your! You! You!']));
    expect(rules(draft, {}, [other, FIRST])).toEqual([]);
    expect(rules(draft, {}, [{ ...other, accepted: false }])).toEqual([]);
  });

  it('B26 compares a draft with the tone and the language of the profile', () => {
    const long = `${Array.from({ length: 40 }, () => 'and the lamp').join(' ')}.`;
    expect(rules(section('Noon', [long]), { tone: 'Plain and warm' }, [])).toEqual(['style_drift']);
    expect(rules(section('Noon', [long]), { tone: 'Schlicht' }, [])).toEqual(['style_drift']);
    expect(rules(section('Noon', [long]), { tone: 'vivid' }, [])).toEqual([]);
    expect(checkDrift(section('Noon', PLAIN), { language: 'pl' }, [])).toMatchObject([
      { rule: 'language_drift', severity: 'error' },
    ]);
    expect(rules(section('Noon', PLAIN), { language: 'en-GB' }, [])).toEqual([]);
    expect(rules('', { language: 'en', tone: 'plain' }, [FIRST])).toEqual([]);
  });

  it.each([
    [
      'de',
      'Die Lampe wurde in der Dämmerung angezündet, und der Wärter stieg die Treppe hinauf, um die Stunde aufzuschreiben.',
    ],
    [
      'fr',
      'La lampe fut allumée au crépuscule, et le gardien monta l’escalier pour noter l’heure dans le journal de bord.',
    ],
    [
      'es',
      'La lámpara se encendió al anochecer, y el guardián subió la escalera para anotar la hora en el diario.',
    ],
  ])('B26 reports a chapter that is not in the language of the book: %s', (language, text) => {
    expect(rules(section('Uno', [text]), { language }, [])).toEqual([]);
    expect(rules(section('Noon', PLAIN), { language }, [])).toEqual(['language_drift']);
    expect(rules(section('Uno', [text]), { language: 'en' }, [])).toEqual(['language_drift']);
  });

  it.each([
    [
      'cs',
      'Strážce majáku zapálil lampu za soumraku a vystoupil po schodech, aby zapsal hodinu do deníku. Moře bylo klidné a na obzoru nebyla vidět žádná loď, takže mohl v klidu sedět u okna až do rána.',
    ],
    [
      'nl',
      'De vuurtorenwachter stak de lamp bij het vallen van de avond aan en liep de trap op om het uur in het logboek te schrijven. De zee was kalm en er was geen schip te zien, zodat hij rustig kon zitten.',
    ],
    [
      'it',
      'Il guardiano accese la lampada al tramonto e salì le scale per annotare l’ora nel registro. Il mare era calmo e non si vedeva nessuna nave, così poté sedersi tranquillo alla finestra fino al mattino.',
    ],
  ])('B26 reports a paragraph that drifts into another language: %s', (_, foreign) => {
    const drifted = `${FIRST.content.repeat(4)}\n\n${foreign}\n`;
    const [found] = checkDrift(drifted, { language: 'en' }, []);
    expect(found).toMatchObject({ rule: 'language_drift', severity: 'error' });
    expect(drifted.slice(found!.span!.start, found!.span!.end)).toBe(foreign);
    expect(
      rules(
        `${FIRST.content.repeat(4)}\n\nThe log says “${foreign}”, as it did every night.\n`,
        { language: 'en' },
        [],
      ),
    ).toEqual([]);
    expect(rules(`${FIRST.content.repeat(4)}\n\n> ${foreign}\n`, { language: 'en' }, [])).toEqual([]);
  });

  it('B26 uses the language of the first accepted chapter if the book specifies none', () => {
    const french = section('Un', [
      'La lampe fut allumée au crépuscule, et le gardien monta pour noter l’heure.',
    ]);
    expect(rules(french.repeat(2), {}, [FIRST])).toEqual(['language_drift']);
    expect(rules(french.repeat(2), {}, [accepted(1, french.repeat(3))])).toEqual([]);
    expect(rules(french.repeat(2), {}, [])).toEqual([]);
  });
});
