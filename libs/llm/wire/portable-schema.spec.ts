import fc from 'fast-check';
import { z } from 'zod';
import { portableSchema } from './portable-schema.js';

const ACCEPTED = new Set([
  ...['type', 'description', 'enum', 'required', 'nullable', 'properties', 'items', 'anyOf'],
]);

/** Returns the keywords of a schema that are not accepted, and types that are no single name. */
function faults(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return ['no schema'];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (!ACCEPTED.has(key)) return [key];
    if (key === 'type')
      return typeof value === 'string' && value !== 'null' ? [] : [`type ${JSON.stringify(value)}`];
    if (key === 'enum') return (value as unknown[]).every((each) => typeof each === 'string') ? [] : ['enum'];
    if (key === 'properties') return Object.values(value as object).flatMap(faults);
    if (key === 'items') return faults(value);
    if (key === 'anyOf') return (value as unknown[]).flatMap(faults);
    return [];
  });
}

const leaf = fc.constantFrom<z.ZodType>(
  z.string().min(1).max(9),
  z.string().regex(/^a/).describe('begins with a'),
  z.iso.datetime(),
  z.number().positive(),
  z.number().int().min(-3).lt(9),
  z.boolean(),
  z.literal('x'),
  z.literal(4),
  z.enum(['a', 'b']),
  z.null(),
  z.unknown(),
);
const { tree } = fc.letrec<{ tree: z.ZodType }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie('tree').map((item) => z.array(item).min(1)),
    tie('tree').map((value) => value.nullable()),
    tie('tree').map((value) => value.optional()),
    tie('tree').map((value) => z.record(z.string(), value)),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => z.union(all)),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => z.tuple(all as [z.ZodType])),
    fc
      .dictionary(fc.constantFrom('one', 'two', '$ref', 'const'), tie('tree'))
      .map((shape) => z.strictObject(shape)),
  ),
}));

describe('portableSchema', () => {
  it('uses only accepted keywords, for any schema', () => {
    fc.assert(
      fc.property(tree, (schema) => {
        expect(faults(portableSchema(z.toJSONSchema(schema, { unrepresentable: 'any' })))).toEqual([]);
      }),
    );
  });

  it('preserves the meaning of an argument', () => {
    const schema = z.strictObject({
      mode: z.literal('fast'),
      count: z.number().int().gt(0).lt(10).describe('how many'),
      when: z.string().nullable(),
      tags: z.array(z.enum(['a', 'b'])).max(3),
      level: z.union([z.literal(1), z.literal(2)]),
    });
    expect(portableSchema(z.toJSONSchema(schema))).toMatchObject({
      type: 'object',
      required: ['mode', 'count', 'when', 'tags', 'level'],
      properties: {
        mode: { type: 'string', enum: ['fast'] },
        count: { type: 'integer', description: 'how many (greater than 0, less than 10)' },
        when: { type: 'string', nullable: true },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
        level: { anyOf: [{ description: '(one of 1)' }, { description: '(one of 2)' }] },
      },
    });
  });

  it('stops at a schema that refers to itself', () => {
    interface Node {
      next?: Node | undefined;
    }
    const node: z.ZodType<Node> = z.object({ next: z.lazy(() => node).optional() });
    const schema = portableSchema(z.toJSONSchema(node));
    expect(faults(schema)).toEqual([]);
    expect(JSON.stringify(schema).length).toBeLessThan(2_000);
  });
});
