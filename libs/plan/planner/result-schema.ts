export type Schema = Record<string, unknown>;

/**
 * Returns the schema at a JSON Pointer into a result, or `{}` if it is unknown. If the pointer leads nowhere, returns the
 * places that exist instead.
 */
export function schemaAt(schema: Schema, pointer: string): { schema: Schema } | { known: string[] } {
  let at = schema;
  const parts = pointer === '' ? [] : pointer.slice(1).split('/');
  if (pointer !== '' && !pointer.startsWith('/')) return { known: placesIn(schema, '') };
  for (const [index, part] of parts.entries()) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = stepInto(at, name);
    const path = parts
      .slice(0, index)
      .map((each) => `/${each}`)
      .join('');
    if (!next) return { known: placesIn(at, path) };
    at = next;
  }
  return { schema: at };
}

function stepInto(schema: Schema, name: string): Schema | null {
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  if (properties && Object.hasOwn(properties, name)) return properties[name]!;
  const items = schema['items'] as Schema | undefined;
  if (schema['type'] === 'array') return /^\d+$/.test(name) ? (items ?? {}) : null;
  const additional = schema['additionalProperties'];
  if (typeof additional === 'object' && additional !== null) return additional as Schema;
  // Platform tools list all properties; other results are open.
  if (properties) return null;
  return ['any', 'object'].includes(typeOf(schema)) ? {} : null;
}

function placesIn(schema: Schema, path: string): string[] {
  if (schema['type'] === 'array') return [`${path}/0`];
  const names = Object.keys((schema['properties'] as object | undefined) ?? {});
  return names.length === 0 ? [`"${path}"`] : names.map((name) => `${path}/${name}`);
}

/** Returns the JSON type of a schema; `any` if it is not one type. */
export const typeOf = (schema: Schema): string =>
  typeof schema['type'] === 'string' ? schema['type'] : 'any';

/** Returns whether a value of one type can be passed where the other is wanted. */
export const typesFit = (given: string, wanted: string): boolean =>
  given === 'any' || wanted === 'any' || given === wanted || (wanted === 'number' && given === 'integer');
