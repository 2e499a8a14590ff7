import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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
  outline: { summary: '', sections: [], terms: [] },
}));

/** Returns the titles after a request, and the parts that were not understood. */
function after(request: string) {
  const { operations, cannot } = readOutlineRequests(request, chapters);
  const changed = changeOutline(chapters, operations);
  return {
    titles: changed.chapters.map(({ title }) => title).join(' '),
    cannot: [...cannot, ...changed.refused],
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
  ])('executes %j', (request, titles) => {
    expect(after(request)).toEqual({ titles, cannot: [] });
  });

  it.each([
    'Make it more exciting',
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
