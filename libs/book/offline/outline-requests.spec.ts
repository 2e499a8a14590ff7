import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textOf } from '#contracts/phrases/detail.js';
import { changeOutline } from '../outline/operations.js';
import { readOutlineRequests } from './outline-requests.js';

const TITLES = ['Tides', 'Winds', 'Stars', 'Fog', 'Oil'];
const chapters = TITLES.map((title, i) => ({
  id: `cha_${i + 1}`,
  number: i + 1,
  title,
  status: 'planned',
  version: 0,
  summary: '',
  outline: {
    summary: '',
    sections: title === 'Stars' ? ['Planets', 'Comets'].map((name) => ({ title: name, points: [] })) : [],
    terms: [],
  },
}));

/** Returns the titles after a request, and the parts that were not understood. */
function after(request: string) {
  const { operations, cannot } = readOutlineRequests(request, chapters);
  const changed = changeOutline(chapters, operations);
  return {
    titles: changed.chapters.map(({ title }) => title).join(' '),
    cannot: [...cannot, ...changed.refused].map(textOf),
  };
}

describe('B12 requests for the outline, read by rules', () => {
  it.each([
    ['Remove chapter 3.', 'Tides Winds Fog Oil'],
    ['please delete the third chapter', 'Tides Winds Fog Oil'],
    ['Drop "Fog"', 'Tides Winds Stars Oil'],
    ['Remove chapters 2 and 4', 'Tides Stars Oil'],
    ['remove chapters 2-4', 'Tides Oil'],
    ['Get rid of the last chapter', 'Tides Winds Stars Fog'],
    ['Swap chapters 2 and 4', 'Tides Fog Stars Winds Oil'],
    ['swap the first and the last chapter', 'Oil Winds Stars Fog Tides'],
    ['Rename chapter 1 to The First Lamp', 'The First Lamp Winds Stars Fog Oil'],
    ['rename 1 to Lamps', 'Lamps Winds Stars Fog Oil'],
    ['Call the second chapter "Gales"', 'Tides Gales Stars Fog Oil'],
    ['Change the title of chapter five to “Paraffin”', 'Tides Winds Stars Fog Paraffin'],
    ['Add a chapter about the keepers after 2', 'Tides Winds The keepers Stars Fog Oil'],
    ['Add a chapter on storms between chapters 1 and 2', 'Tides Storms Winds Stars Fog Oil'],
    ['add a new chapter called "Bells" at the beginning', 'Bells Tides Winds Stars Fog Oil'],
    ['Add a chapter about radio.', 'Tides Winds Stars Fog Oil Radio'],
    ['Merge 2 and 3', 'Tides Winds and Stars Fog Oil'],
    ['Combine chapters 4 and 5 into one called Fuel', 'Tides Winds Stars Fuel'],
    ['Move chapter 5 before chapter 2', 'Tides Oil Winds Stars Fog'],
    ['move Fog to the beginning', 'Fog Tides Winds Stars Oil'],
    ['Move the first chapter to the end', 'Winds Stars Fog Oil Tides'],
    ['Make Oil the first chapter', 'Oil Tides Winds Stars Fog'],
    ['Remove chapter 1 and rename chapter 2 to Gales', 'Gales Stars Fog Oil'],
    ['Put the chapter on fog before the one about winds', 'Tides Fog Winds Stars Oil'],
    ['Swap the first two chapters', 'Winds Tides Stars Fog Oil'],
    ['I would like chapter 5 to come first', 'Oil Tides Winds Stars Fog'],
    ['Fog should come after chapter 1', 'Tides Fog Winds Stars Oil'],
    ['The book needs a chapter on shipwrecks', 'Tides Winds Stars Fog Oil Shipwrecks'],
    ['There should be a chapter on families at the end', 'Tides Winds Stars Fog Oil Families'],
    ['Can we get rid of Stars?', 'Tides Winds Fog Oil'],
    ['Delete chapter 5. Then move chapter 4 after 1.', 'Tides Fog Winds Stars'],
    ['Put the fog first', 'Fog Tides Winds Stars Oil'],
    ['Chapter 3 should come after 5.', 'Tides Winds Fog Oil Stars'],
    ['Start with chapter 4 and remove chapter 5', 'Fog Tides Winds Stars'],
    ['End the book with the stars', 'Tides Winds Fog Oil Stars'],
    ['Chapter 2 should be called "Gales"', 'Tides Gales Stars Fog Oil'],
    ["Change chapter 2's title to Gales", 'Tides Gales Stars Fog Oil'],
    ['Turn chapters 1 and 2 into one chapter', 'Tides and Winds Stars Fog Oil'],
    ['Chapter 4 should go', 'Tides Winds Stars Oil'],
    ["We don't need chapter 4", 'Tides Winds Stars Oil'],
    ['Remove the last two chapters', 'Tides Winds Stars'],
    ['Move chapter 4 up', 'Tides Winds Fog Stars Oil'],
    ['Add "Bells" after chapter 2', 'Tides Winds Bells Stars Fog Oil'],
    ['A chapter on bells is missing', 'Tides Winds Stars Fog Oil Bells'],
    ['Insert a new chapter between 2 and 3 about bells', 'Tides Winds Bells Stars Fog Oil'],
    ['Add an introduction', 'Introduction Tides Winds Stars Fog Oil'],
    ['Add a conclusion', 'Tides Winds Stars Fog Oil Conclusion'],
    ['Let chapter 2 follow chapter 4', 'Tides Stars Fog Winds Oil'],
    ['Remove the last chapter; also rename the first one "Ebb"', 'Ebb Winds Stars Fog'],
    ['Remove chapter 3 and put chapter 5 before chapter 4', 'Tides Winds Oil Fog'],
    ['1. Remove chapter 3\n2. Rename chapter 1 to Gales', 'Gales Winds Fog Oil'],
  ])('executes %j', (request, titles) => {
    expect(after(request)).toEqual({ titles, cannot: [] });
  });

  it.each([
    ['Entferne Kapitel 3.', 'Tides Winds Fog Oil'],
    ['Bitte lösche das dritte Kapitel', 'Tides Winds Fog Oil'],
    ['Löschen Sie bitte das 3. Kapitel.', 'Tides Winds Fog Oil'],
    ['Streiche die Kapitel 2 und 4', 'Tides Stars Oil'],
    ['Kapitel 2 bis 4 löschen', 'Tides Oil'],
    ['Kapitel 3 kann weg', 'Tides Winds Fog Oil'],
    ['Nimm das letzte Kapitel heraus', 'Tides Winds Stars Fog'],
    ['Tausche Kapitel 2 und 4', 'Tides Fog Stars Winds Oil'],
    ['Benenne Kapitel 1 in „Das erste Licht“ um', 'Das erste Licht Winds Stars Fog Oil'],
    ['Nenne das zweite Kapitel „Böen“', 'Tides Böen Stars Fog Oil'],
    ['Kapitel 2 soll Böen heißen', 'Tides Böen Stars Fog Oil'],
    ['Ändere den Titel von Kapitel 5 in Paraffin', 'Tides Winds Stars Fog Paraffin'],
    ['Füge ein Kapitel über Stürme hinzu', 'Tides Winds Stars Fog Oil Stürme'],
    ['Füge nach Kapitel 2 ein Kapitel über Stürme ein', 'Tides Winds Stürme Stars Fog Oil'],
    ['Ergänze ein Kapitel über den Wärter vor Kapitel 1', 'Der Wärter Tides Winds Stars Fog Oil'],
    ['Es fehlt ein Kapitel über die Glocken', 'Tides Winds Stars Fog Oil Die Glocken'],
    ['Fasse Kapitel 2 und 3 zusammen', 'Tides Winds and Stars Fog Oil'],
    ['Verbinde Kapitel 4 und 5 zu einem Kapitel namens „Brennstoff“', 'Tides Winds Stars Brennstoff'],
    ['Verschiebe Kapitel 5 vor Kapitel 2', 'Tides Oil Winds Stars Fog'],
    ['Kapitel 3 soll nach Kapitel 5 kommen', 'Tides Winds Fog Oil Stars'],
    ['Setze das erste Kapitel ans Ende', 'Winds Stars Fog Oil Tides'],
    ['Beginne mit Kapitel 4', 'Fog Tides Winds Stars Oil'],
    ['Stell das Kapitel über Fog an den Anfang', 'Fog Tides Winds Stars Oil'],
    ['Lösche Kapitel 1 und verschiebe Kapitel 2 ans Ende', 'Stars Fog Oil Winds'],
    ['Kapitel 1 löschen und Kapitel 2 ans Ende verschieben', 'Stars Fog Oil Winds'],
    ['Könntest du Kapitel 4 entfernen?', 'Tides Winds Stars Oil'],
    ['Das Kapitel über Fog bitte streichen', 'Tides Winds Stars Oil'],
    ['Kapitel 5 vor Kapitel 2', 'Tides Oil Winds Stars Fog'],
    ['Füge eine Einleitung hinzu', 'Einleitung Tides Winds Stars Fog Oil'],
    ['Mach das letzte Kapitel zum ersten', 'Oil Tides Winds Stars Fog'],
    ['Vertausche die letzten beiden Kapitel', 'Tides Winds Stars Oil Fog'],
    ['Lösche Kapitel 2. Kapitel 5 soll nach Kapitel 1 kommen.', 'Tides Oil Stars Fog'],
    ['Lösche die Kapitel 2 und 3. Kapitel 5 soll vor Kapitel 4 stehen.', 'Tides Oil Fog'],
  ])('executes the German request %j', (request, titles) => {
    expect(after(request)).toEqual({ titles, cannot: [] });
  });

  it.each([
    ['Usuń rozdział 3.', 'Tides Winds Fog Oil'],
    ['Proszę usunąć trzeci rozdział', 'Tides Winds Fog Oil'],
    ['Skreśl rozdziały 2 i 4', 'Tides Stars Oil'],
    ['usuń rozdziały 2-4', 'Tides Oil'],
    ['Wyrzuć ostatni rozdział', 'Tides Winds Stars Fog'],
    ['Zamień rozdziały 2 i 4 miejscami', 'Tides Fog Stars Winds Oil'],
    ['Zamień rozdział 2 z rozdziałem 4', 'Tides Fog Stars Winds Oil'],
    ['Zmień tytuł rozdziału 1 na „Pierwsze światło”', 'Pierwsze światło Winds Stars Fog Oil'],
    ['Nazwij drugi rozdział „Wichury”', 'Tides Wichury Stars Fog Oil'],
    ['Zmień nazwę rozdziału piątego na Nafta', 'Tides Winds Stars Fog Nafta'],
    ['Dodaj rozdział o burzach', 'Tides Winds Stars Fog Oil O burzach'],
    ['Dodaj rozdział o burzach po rozdziale 2', 'Tides Winds O burzach Stars Fog Oil'],
    ['Wstaw na początku rozdział pod tytułem „Dzwony”', 'Dzwony Tides Winds Stars Fog Oil'],
    ['Brakuje rozdziału o latarnikach', 'Tides Winds Stars Fog Oil O latarnikach'],
    ['Połącz rozdziały 2 i 3', 'Tides Winds and Stars Fog Oil'],
    ['Połącz rozdział 4 z rozdziałem 5 pod tytułem „Paliwo”', 'Tides Winds Stars Paliwo'],
    ['Przenieś rozdział 5 przed rozdział 2', 'Tides Oil Winds Stars Fog'],
    ['Rozdział 3 powinien być po rozdziale 5', 'Tides Winds Fog Oil Stars'],
    ['Przesuń pierwszy rozdział na koniec', 'Winds Stars Fog Oil Tides'],
    ['Zacznij od rozdziału 4', 'Fog Tides Winds Stars Oil'],
    ['Niech rozdział 4 będzie pierwszy', 'Fog Tides Winds Stars Oil'],
    ['Usuń rozdział 1 i przenieś rozdział 2 na koniec', 'Stars Fog Oil Winds'],
    ['Rozdział 5 przed rozdziałem 2', 'Tides Oil Winds Stars Fog'],
    ['Dodaj wstęp', 'Wstęp Tides Winds Stars Fog Oil'],
    ['Chciałbym, żeby rozdział 4 był pierwszy', 'Fog Tides Winds Stars Oil'],
    ['Połącz rozdziały od 2 do 4', 'Tides Winds and Stars and Fog Oil'],
    ['Usuń ostatnie dwa rozdziały', 'Tides Winds Stars'],
    ['Czy możesz usunąć rozdział 4?', 'Tides Winds Stars Oil'],
  ])('executes the Polish request %j', (request, titles) => {
    expect(after(request)).toEqual({ titles, cannot: [] });
  });

  it.each([
    'Split chapter 3',
    'split the third chapter into two chapters',
    'Divide chapter 3 in two',
    'Teile Kapitel 3',
    'Teile das dritte Kapitel in zwei Kapitel auf',
    'Kapitel 3 aufteilen',
    'Podziel rozdział 3',
    'Podziel trzeci rozdział na dwa',
  ])('splits a chapter at the middle of its sections: %j', (request) => {
    expect(after(request)).toEqual({ titles: 'Tides Winds Stars Comets Fog Oil', cannot: [] });
  });

  it('splits a chapter into two titles', () => {
    for (const request of [
      'Split chapter 3 into "Planets" and "Moons"',
      'Teile Kapitel 3 in „Planets“ und „Moons“',
      'Podziel rozdział 3 na „Planets” i „Moons”',
    ])
      expect(after(request)).toEqual({ titles: 'Tides Winds Planets Moons Fog Oil', cannot: [] });
  });

  it.each([
    'Make it more exciting',
    'Make it shorter',
    'Mach es kürzer',
    'Skróć to',
    "Don't remove chapter 3",
    'Entferne Kapitel 3 nicht',
    'Kapitel 3 soll nicht nach Kapitel 5 kommen',
    'Nie usuwaj rozdziału 3',
    'Remove chapter 3 unless it is good',
    'Add a chapter on storms, but keep it short',
    'Split chapter 1',
    'The third chapter is too long',
    'remove chapter 9',
    'add more detail on oil',
  ])('reports that it does not understand %j, and changes nothing', (request) => {
    const { titles, cannot } = after(request);
    expect([titles, cannot]).toEqual([TITLES.join(' '), [expect.any(String)]]);
  });

  it('never loses a chapter that no request names', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (request) => {
        const { titles } = after(request);
        if (
          !/remove|delete|drop|cut|get rid|take out|leave out|merge|combine|join|unite|rename|call|title/i.test(
            request,
          )
        )
          for (const title of TITLES) expect(titles).toContain(title);
      }),
    );
  });
});
