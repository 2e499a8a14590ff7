import { initialAnswer, isComplete, type JsonSchema } from '../../apps/studio/src/ui/json-schema.js';

const reference: JsonSchema = { anyOf: [{ const: 'skip' }, { type: 'string', pattern: '^use:.+' }] };
const action: JsonSchema = { enum: ['accept', 'retry', 'cancel'] };
const question: JsonSchema = {
  properties: {
    'plan.png': reference,
    action,
    note: { type: 'string' },
    minutes: { type: 'integer', minimum: 1 },
  },
  required: ['plan.png', 'action', 'minutes'],
};

describe('the form of a question', () => {
  it('selects nothing before the user does', () => {
    expect(initialAnswer(question)).toEqual({ 'plan.png': '', action: '', minutes: '' });
    expect(initialAnswer(action)).toBe('');
    // The only possible value is no choice.
    expect(initialAnswer({ const: 'accept' })).toBe('accept');
  });

  it('is complete when every required field has a value', () => {
    const chosen = { 'plan.png': 'skip', action: 'retry', minutes: 5 };
    expect(isComplete(question, chosen)).toBe(true);
    for (const name of Object.keys(chosen))
      expect(isComplete(question, { ...chosen, [name]: '' })).toBe(false);
    expect(isComplete(action, '')).toBe(false);
    expect(isComplete({ type: 'string' }, '')).toBe(true);
    expect(isComplete({ type: 'string', minLength: 1 }, '')).toBe(false);
    expect(isComplete({ type: 'boolean' }, false)).toBe(true);
    expect(isComplete({ type: 'array' }, [])).toBe(true);
  });
});
