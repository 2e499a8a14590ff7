import fc, { type Arbitrary } from 'fast-check';

export type JsonSchema = Record<string, unknown>;

/** Maximum length of generated strings and lists: enough to exceed every limit except those of whole bodies. */
const MAX_LENGTH = 300;
const MAX_ITEMS = 4;

const anyName = fc.string();
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: MAX_LENGTH }),
  fc.constantFrom(null, '', '\u0000', -1, 1e308, '../../etc/passwd', '\ud800', [], {}),
);

/** Resolves a reference within the document. */
function resolved(schema: JsonSchema, document: object): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const path = schema.$ref.slice(2).split('/');
  return path.reduce((node, key) => node[key] as JsonSchema, document as JsonSchema);
}

const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise);

/** Cache of strings by schema: fast-check needs tens of milliseconds to build one, and hundreds of fields are alike. */
const stringsMade = new Map<string, Arbitrary<string>>();

function strings({ format, minLength, maxLength, pattern }: JsonSchema): Arbitrary<string> {
  const key = JSON.stringify([format, minLength, maxLength, pattern]);
  const made = stringsMade.get(key) ?? makeStrings({ format, minLength, maxLength, pattern });
  stringsMade.set(key, made);
  return made;
}

function makeStrings({ format, minLength, maxLength, pattern }: JsonSchema): Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const min = numberOf(minLength, 0);
  return fc.string({
    unit: 'grapheme',
    minLength: min,
    maxLength: Math.min(numberOf(maxLength, MAX_LENGTH), MAX_LENGTH),
  });
}

function objects(schema: JsonSchema, document: object): Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, arbitraryOf(value, document)]),
  );
  const known = fc.record(fields, { requiredKeys: (schema.required ?? []) as string[] });
  const { additionalProperties } = schema;
  if (additionalProperties === false || additionalProperties === undefined) return known;
  const values =
    additionalProperties === true ? junk : arbitraryOf(additionalProperties as JsonSchema, document);
  return fc.tuple(fc.dictionary(anyName, values, { maxKeys: MAX_ITEMS }), known).map(([more, own]) => ({
    ...more,
    ...own,
  }));
}

function ofType(type: unknown, schema: JsonSchema, document: object): Arbitrary<unknown> {
  const range = {
    min: Math.max(numberOf(schema.minimum, -1e9), Number.MIN_SAFE_INTEGER),
    max: Math.min(numberOf(schema.maximum, 1e9), Number.MAX_SAFE_INTEGER),
  };
  switch (type) {
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer(range);
    case 'number':
      return fc.double({ ...range, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf((schema.items ?? {}) as JsonSchema, document), {
        minLength: numberOf(schema.minItems, 0),
        maxLength: Math.max(numberOf(schema.minItems, 0), MAX_ITEMS),
      });
    case 'object':
      return objects(schema, document);
    default:
      return junk;
  }
}

/** Values that match a schema of the document in types, bounds, formats and patterns. */
export function arbitraryOf(given: JsonSchema, document: object): Arbitrary<unknown> {
  const schema = resolved(given, document);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, document)));
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, document)));
}

/** Values that mostly fit a schema, and sometimes do not, as a whole or in one of their fields. */
export function mostlyValid(schema: JsonSchema, document: object): Arbitrary<unknown> {
  const valid = arbitraryOf(schema, document);
  const spoilt = fc.tuple(valid, fc.nat(), junk).map(([value, index, other]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return other;
    const keys = [...Object.keys(value), 'unknown_field'];
    return { ...value, [keys[index % keys.length]!]: other };
  });
  return fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: junk },
  );
}
