import { describe, expect, it } from '@jest/globals';
import { shownTitle } from './views.js';

describe('shownTitle', () => {
  it.each([
    ['Nets', { details: { title: 'A heading', topic: 'Boats' } }, 'Nets'],
    [null, { details: { title: 'A heading', topic: 'Boats' } }, 'A heading'],
    [null, { details: { title: null, topic: 'Boats' } }, 'Boats'],
    [null, { details: { intent: 'x'.repeat(300) } }, 'x'.repeat(200)],
    [null, { details: { topic: null, intent: null } }, null],
    [null, {}, null],
  ])('returns for the session title %j and the summary %j the title %j', (sessionTitle, summary, title) => {
    expect(shownTitle(sessionTitle, summary)).toBe(title);
  });
});
