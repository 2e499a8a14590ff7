import { describe, expect, it } from '@jest/globals';
import { englishText, type Phrase } from '#contracts/phrases/phrase.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import type { OutlineOperation } from '../contract/operations.js';
import { changeOutline } from './operations.js';

const [german, polish] = await Promise.all([translatorFor('de'), translatorFor('pl')]);

const NAMES = ['Tides', 'Winds', 'Fog', 'Stars'];
const chapters = NAMES.map((title, index) => ({
  id: `cha_${index + 1}`,
  number: index + 1,
  title,
  outline: { summary: '', sections: ['One', 'Two'].map((name) => ({ title: name, points: [] })), terms: [] },
}));

/** Returns what one operation changed, or why not, in English, German and Polish. */
function told(operation: Record<string, unknown>): (string | null)[] {
  const { changes, refused } = changeOutline(chapters as never, [
    { reason: '', ...operation } as unknown as OutlineOperation,
  ]);
  const [only] = [...changes, ...refused] as Phrase[];
  return [englishText(only!), german(only!), polish(only!)];
}

describe('B12 a change of the outline is told in a sentence', () => {
  it.each([
    [
      { op: 'move', chapter: 4, after: 0 },
      'Moved chapter 4, "Stars", to the beginning.',
      'Kapitel 4, „Stars“, wurde an den Anfang verschoben.',
      'Przeniesiono rozdział 4, „Stars”, na początek.',
    ],
    [
      { op: 'move', chapter: 1, after: 3 },
      'Moved chapter 1, "Tides", after chapter 3.',
      'Kapitel 1, „Tides“, wurde hinter Kapitel 3 verschoben.',
      'Przeniesiono rozdział 1, „Tides”, za rozdział 3.',
    ],
    [
      { op: 'add', after: 0, title: 'Oil' },
      'Added "Oil" as the first chapter.',
      '„Oil“ wurde als erstes Kapitel eingefügt.',
      'Dodano „Oil” jako pierwszy rozdział.',
    ],
    [
      { op: 'add', after: 2, title: 'Oil' },
      'Added "Oil" after chapter 2.',
      '„Oil“ wurde nach Kapitel 2 eingefügt.',
      'Dodano „Oil” po rozdziale 2.',
    ],
    [
      { op: 'remove', chapter: 3, reason: 'It repeats chapter 2.' },
      'Removed chapter 3, "Fog". Reason: It repeats chapter 2.',
      'Kapitel 3, „Fog“, wurde entfernt. Grund: It repeats chapter 2.',
      'Usunięto rozdział 3, „Fog”. Powód: It repeats chapter 2.',
    ],
    [
      { op: 'rename', chapter: 3, title: 'Mist' },
      'Renamed chapter 3 from "Fog" to "Mist".',
      'Kapitel 3, „Fog“, heißt jetzt „Mist“.',
      'Zmieniono tytuł rozdziału 3, „Fog”, na „Mist”.',
    ],
    [
      { op: 'edit', chapter: 3, summary: 'Thick.' },
      'Changed the plan of chapter 3, "Fog".',
      'Der Plan von Kapitel 3, „Fog“, wurde geändert.',
      'Zmieniono plan rozdziału 3, „Fog”.',
    ],
    [
      { op: 'merge', chapters: [1, 2] },
      'Merged the chapters "Tides" and "Winds".',
      'Die Kapitel „Tides“ und „Winds“ wurden zusammengefasst.',
      'Połączono rozdziały „Tides” i „Winds”.',
    ],
    [
      { op: 'merge', chapters: [1, 2, 4] },
      'Merged the chapters "Tides", "Winds" and "Stars".',
      'Die Kapitel „Tides“, „Winds“ und „Stars“ wurden zusammengefasst.',
      'Połączono rozdziały „Tides”, „Winds” i „Stars”.',
    ],
    [
      { op: 'split', chapter: 2 },
      'Split chapter 2 into "Winds" and "Two".',
      'Kapitel 2 wurde in „Winds“ und „Two“ geteilt.',
      'Podzielono rozdział 2 na „Winds” i „Two”.',
    ],
    [
      { op: 'remove', chapter: 7 },
      'The outline has no chapter 7.',
      'Die Gliederung hat kein Kapitel 7.',
      'W konspekcie nie ma rozdziału 7.',
    ],
    [
      { op: 'move', chapter: 2, after: 2 },
      'Chapter 2 is already in that place.',
      'Kapitel 2 steht schon an dieser Stelle.',
      'Rozdział 2 już jest w tym miejscu.',
    ],
    [
      { op: 'merge', chapters: [2, 2] },
      'Chapters can be merged only if each is named once.',
      'Kapitel lassen sich nur zusammenfassen, wenn jedes einmal genannt ist.',
      'Rozdziały można połączyć tylko wtedy, gdy każdy jest wymieniony raz.',
    ],
  ])('%j', (operation, ...texts) => {
    expect(told(operation)).toEqual(texts);
  });
});
