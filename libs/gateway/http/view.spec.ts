import { z } from 'zod';
import { view } from './view.js';

const schema = z.object({
  id: z.string(),
  state: z.enum(['new', 'done']),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  words: z.number(),
});
const row = {
  id: 'a',
  state: 'new',
  createdAt: new Date(0),
  endedAt: null,
  secretHash: 'hidden',
};

describe('the view of a row', () => {
  it('has the fields of the schema and no other, dates in ISO 8601', () => {
    expect(view(schema, row, { words: 3 })).toEqual({
      id: 'a',
      state: 'new',
      created_at: '1970-01-01T00:00:00.000Z',
      ended_at: null,
      words: 3,
    });
  });

  it('takes a given field instead of that of the row', () => {
    expect(view(schema, row, { words: 3, id: 'b' })).toMatchObject({ id: 'b' });
  });

  it('requires the fields that the row lacks', () => {
    // @ts-expect-error: `words` is missing
    expect(view(schema, row, {})).toMatchObject({ words: undefined });
  });
});
