import { z } from 'zod';
import { endpoints, type Endpoint } from './endpoints.js';

type Schema = Record<string, unknown>;

/** Returns the paths of fields for which a schema fills in defaults; ignores lists, which are replaced as a whole. */
function findDefaults(root: Schema): string[] {
  const definitions = (root['$defs'] ?? {}) as Record<string, Schema>;
  const search = (schema: Schema, path: string): string[] => {
    const target = definitions[String(schema['$ref']).replace('#/$defs/', '')];
    const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    return [
      ...('default' in schema ? [path] : []),
      ...(target ? search(target, path) : []),
      ...fields.flatMap(([name, field]) => search(field, `${path}.${name}`)),
      ...((schema['anyOf'] ?? []) as Schema[]).flatMap((one) => search(one, path)),
    ];
  };
  return search(root, 'body');
}

describe('schemas of requests', () => {
  const changing = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method === 'PATCH');

  it.each(changing)('%s does not change omitted fields', (_name, { body }) => {
    const schema = z.toJSONSchema(body as z.ZodType, { io: 'input' });
    expect(findDefaults(schema)).toEqual([]);
  });

  it('finds a default inside an optional object', () => {
    const inner = z.object({ list: z.array(z.string()).default([]) }).meta({ id: 'InnerOfTheSpec' });
    const schema = z.object({ inner: inner.nullable() }).partial().meta({ id: 'OuterOfTheSpec' });
    expect(findDefaults(z.toJSONSchema(schema, { io: 'input' }))).toEqual(['body.inner.list']);
  });
});
