import { revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { acceptedParagraphs, newParagraphs, remainingParagraphs } from './kept-paragraphs.js';

const BASE = '## One\n\nThe old first.\n\nThe old second.\n\nThe third.\n';
const REVISED = '## One\n\nThe new first.\n\nThe third.\n\nA new last.\n';
const idsOf = (text: string, ...begins: string[]) =>
  splitParagraphs(text)
    .filter((one) => begins.some((words) => one.text.startsWith(words)))
    .map(({ id }) => id);

describe('X8 paragraphs that a person wrote or accepted', () => {
  it('are those that the text before lacks', () => {
    expect(newParagraphs(BASE, REVISED)).toEqual(idsOf(REVISED, 'The new', 'A new'));
    expect(newParagraphs('', REVISED)).toHaveLength(4);
  });

  it('are those of accepted changes that the decided text has', () => {
    const decisions = revisionChanges(BASE, REVISED).map(({ id, after }) => ({
      change_id: id,
      accepted: after.includes('A new last'),
      reason: null,
    }));
    const present = `${BASE}\nA new last.\n`;
    const decided = { decisions, base: BASE, revised: REVISED };
    expect(acceptedParagraphs(present, decided)).toEqual(idsOf(present, 'A new last'));
  });

  it('remain in a later text as long as their words do', () => {
    const kept = idsOf(BASE, 'The old first', 'The third');
    expect(remainingParagraphs(REVISED, kept)).toEqual(idsOf(REVISED, 'The third'));
    expect(remainingParagraphs(REVISED, [])).toEqual([]);
  });
});
