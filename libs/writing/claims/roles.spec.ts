import { cited, flaggedIn } from '#testing/writing/paraphrased.js';

const COUNCIL =
  'The mayor, Eva Roth, asked the architect, Hans Brandt, for a new plan of the market hall. In 1850 Cotter sold the mill on the river to Lewin. The work took two years and cost more than the council had expected.';

describe('B26 people to whom a sentence gives what the passage says of another one', () => {
  it.each([
    'The mayor, Hans Brandt, asked for a new plan.',
    'The architect, Eva Roth, drew the plan.',
    'In 1850 Lewin sold the mill on the river to Cotter.',
  ])('B26 finds exchanged people: %s', (sentence) => {
    expect(flaggedIn(cited(sentence), COUNCIL)).toHaveLength(1);
  });

  it.each([
    'Mayor Roth wanted a new plan of the market hall.',
    'The plan was to come from Hans Brandt, the architect.',
    'Cotter sold the mill to Lewin in 1850.',
    'The mill was sold to Lewin by Cotter.',
    'Lewin, to whom Cotter sold the mill, paid in 1850.',
  ])('B26 accepts the same people in other words: %s', (sentence) => {
    expect(flaggedIn(cited(sentence), COUNCIL)).toEqual([]);
  });
});
