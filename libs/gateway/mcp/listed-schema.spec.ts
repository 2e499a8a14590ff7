import { listedInput, listedOutput } from './mcp.service.js';
import { z } from 'zod';

const show = (schema: ReturnType<typeof listedInput>, io: 'input' | 'output') =>
  schema['~standard'].jsonSchema[io]({ target: 'draft-2020-12' });

describe('schemas in tools/list', () => {
  const inner = z.object({ deep: z.string().describe('hidden') });

  it('P12 a result is listed with the types of its fields, and checked by the whole schema', () => {
    const output = z.object({
      id: z.string().describe('ID of the run'),
      state: z.enum(['a', 'b']).nullable(),
      inner: inner.meta({ id: 'Inner' }).nullable(),
      any: z.unknown(),
      items: z.array(inner),
    });
    const listed = listedOutput(output);
    expect(show(listed, 'output')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        state: { type: ['string', 'null'] },
        inner: { type: ['object', 'null'] },
        any: {},
        items: { type: 'array' },
      },
    });
    expect(listed['~standard'].validate({ id: 'run_1' })).toMatchObject({ issues: expect.any(Array) });
  });

  it('arguments are listed completely, but without bounds of every integer', () => {
    const shown = show(
      listedInput(z.object({ n: z.number().int(), by: z.record(z.string(), inner.strict()) }).strict()),
      'input',
    );
    expect(shown).toMatchObject({
      properties: { n: { type: 'integer' }, by: { additionalProperties: { properties: { deep: {} } } } },
      required: ['n', 'by'],
      additionalProperties: false,
    });
    expect(JSON.stringify(shown).match(/"additionalProperties":false/g)).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toMatch(/9007199254740991|propertyNames|\$schema/);
  });
});
