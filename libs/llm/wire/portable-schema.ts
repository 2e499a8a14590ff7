import { nameOfStep } from '#contracts/json-pointer.js';

type Schema = Record<string, unknown>;

/** Keywords that every known server accepts. Bounds make the grammar of a server too large; the program checks them. */
const KEPT = ['type', 'description', 'enum', 'required', 'nullable'];
/** Maximum nesting; a schema that refers to itself is cut there. */
const MAX_DEPTH = 12;

/**
 * Returns a JSON schema in the subset that OpenAI-compatible servers have in common (Gemini and strict
 * grammars refuse `$schema`, `$ref`, `additionalProperties`, exclusive bounds, `const` and others). Limits
 * that the subset lacks are added to the description; the tool itself checks them.
 */
export function portableSchema(schema: unknown): Schema {
  const root = isSchema(schema) ? schema : {};
  return portable(root, root, 0);
}

function portable(given: Schema, root: Schema, depth: number): Schema {
  const schema = merged(resolved(given, root), root);
  if (depth > MAX_DEPTH) return typeof schema['type'] === 'string' ? { type: schema['type'] } : {};
  const result: Schema = {};
  for (const key of KEPT) if (schema[key] !== undefined) result[key] = schema[key];
  const part = (value: unknown) => portable(isSchema(value) ? value : {}, root, depth + 1);
  addType(schema, result);
  addEnum(schema, result);
  const options = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as unknown[] | undefined;
  if (options) addOptions(options.map(part), result);
  if (isSchema(schema['properties'])) {
    const { properties, required } = schema as { properties: Schema; required?: string[] };
    // An argument with a default may be left out.
    const isOptional = (name: string) => isSchema(properties[name]) && 'default' in properties[name];
    if (required) result['required'] = required.filter((name) => !isOptional(name));
    result['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [name, part(value)]),
    );
  } else if (result['type'] === 'object') result['properties'] = {};
  const items = Array.isArray(schema['prefixItems']) ? schema['prefixItems'][0] : schema['items'];
  if (items !== undefined) result['items'] = part(items);
  else if (result['type'] === 'array') result['items'] = {};
  const limits = limitsOf(schema);
  if (limits.length > 0)
    result['description'] = [schema['description'], `(${limits.join(', ')})`].filter(Boolean).join(' ');
  return result;
}

/** Replaces a list of types by one, and `null` by `nullable`. */
function addType({ type }: Schema, result: Schema): void {
  if (type === 'null') {
    delete result['type'];
    result['nullable'] = true;
  }
  if (!Array.isArray(type)) return;
  const types = type.filter((name) => name !== 'null');
  if (types.length < type.length) result['nullable'] = true;
  if (types.length === 1) result['type'] = types[0] as string;
  else {
    delete result['type'];
    result['anyOf'] = types.map((name) => ({ type: name as string }));
  }
}

/** Keeps an enumeration of strings; other values are only described, because Gemini accepts no others. */
function addEnum(schema: Schema, result: Schema): void {
  const values = schema['const'] !== undefined ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values)) return;
  const strings = values.filter((value) => typeof value === 'string');
  if (strings.length > 0) result['enum'] = strings;
  else delete result['enum'];
  if (strings.length > 0) result['type'] ??= 'string';
  if (values.includes(null)) result['nullable'] = true;
}

/** Adds alternatives; an alternative that is only null makes the rest nullable. */
function addOptions(options: Schema[], result: Schema): void {
  const isNull = (option: Schema) => Object.keys(option).join() === 'nullable';
  const rest = options.filter((option) => !isNull(option));
  if (rest.length < options.length) result['nullable'] = true;
  const [only] = rest;
  if (rest.length === 1) Object.assign(result, { ...only, ...result });
  else if (rest.length > 1) result['anyOf'] = rest;
}

/** Describes the limits that the subset cannot express. */
function limitsOf(schema: Schema): string[] {
  const descriptions: [string, (value: unknown) => string][] = [
    ['exclusiveMinimum', (value) => `greater than ${String(value)}`],
    ['exclusiveMaximum', (value) => `less than ${String(value)}`],
    ['multipleOf', (value) => `a multiple of ${String(value)}`],
    ['pattern', (value) => `matches ${String(value)}`],
    ['format', (value) => `format ${String(value)}`],
  ];
  const limits = descriptions.flatMap(([key, say]) => (schema[key] === undefined ? [] : [say(schema[key])]));
  const values = schema['const'] !== undefined ? [schema['const']] : schema['enum'];
  if (Array.isArray(values) && !values.some((value) => typeof value === 'string'))
    limits.push(`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`);
  return limits;
}

/** Follows references within the schema; an unresolvable reference counts as any value. */
function resolved(schema: Schema, root: Schema): Schema {
  let current = schema;
  for (let hops = 0; typeof current['$ref'] === 'string' && hops < MAX_DEPTH; hops++) {
    const { $ref: path, ...rest } = current;
    const steps = (path as string).replace(/^#\/?/, '').split('/').filter(Boolean);
    const target = steps.reduce<unknown>(
      (at, step) => (isSchema(at) ? at[nameOfStep(step)] : undefined),
      root,
    );
    current = { ...(isSchema(target) ? target : {}), ...rest };
  }
  return current;
}

/** Merges `allOf` into the schema. */
function merged(schema: Schema, root: Schema): Schema {
  const parts = schema['allOf'];
  if (!Array.isArray(parts)) return schema;
  const all = [...parts.filter(isSchema).map((part) => resolved(part, root)), schema];
  const properties = Object.assign({}, ...all.map((part) => part['properties'] ?? {})) as Schema;
  const required = [...new Set(all.flatMap((part) => (part['required'] as string[] | undefined) ?? []))];
  return {
    ...(Object.assign({}, ...all) as Schema),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
