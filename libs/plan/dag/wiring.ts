import type { ToolDescription } from '../tools/tool.js';

type Schema = Record<string, unknown>;

/** A place in an earlier result that can supply a value. */
export interface Source {
  /** Name of the property, or of the list that contains the item. */
  name: string;
  type: string;
  value: unknown;
  /** Preference, lower is better: later plan steps and shallow places first. */
  distance: number;
}

/** A plan step whose result can be used, with its tool. */
export interface Producer {
  task: string;
  tool: ToolDescription;
  /** Its result, once available; it allows choosing a list item by content. */
  result?: unknown;
}

export interface Wired {
  arguments: Record<string, unknown>;
  /** Required parameters without a value. */
  missing: string[];
}

const MAX_DEPTH = 3;
/** List items that are searched for a better one than the first. */
const MAX_ITEMS = 100;

/**
 * Fills the parameters of a tool by name and type: from the known values, then from the newest result with a
 * property of that name. Optional parameters are filled only from the known values.
 *
 * @param sources from `sourcesOf`
 * @param hints words of the request, used to choose a list item (`xml` selects `b.xml` from `a.csv`, `b.xml`)
 */
export function wire(
  tool: ToolDescription,
  known: Record<string, unknown>,
  sources: readonly Source[],
  hints: readonly string[],
): Wired {
  const required = (tool.input['required'] as string[] | undefined) ?? [];
  const wired: Wired = { arguments: {}, missing: [] };
  for (const [name, schema] of Object.entries(propertiesOf(tool.input))) {
    const given = knownValue(known, name, schema, hints);
    if (given !== undefined) wired.arguments[name] = given;
    else if (required.includes(name)) {
      // Two parameters with the same value, such as two texts to compare, would make a pointless call.
      const source = bestSource(
        name,
        schema,
        sources.filter(({ value }) => !isUsed(value, wired.arguments)),
      );
      if (source) wired.arguments[name] = source.value;
      else wired.missing.push(name);
    }
  }
  return wired;
}

const isUsed = (value: unknown, args: Record<string, unknown>): boolean =>
  Object.values(args).some((other) => JSON.stringify(other) === JSON.stringify(value));

function knownValue(
  known: Record<string, unknown>,
  name: string,
  schema: Schema,
  hints: readonly string[],
): unknown {
  for (const key of [name, `${name}s`]) {
    if (!Object.hasOwn(known, key)) continue;
    const value = known[key];
    if (fits(schema, typeOfValue(value))) return value;
    if (Array.isArray(value)) {
      const item: unknown = value.find((each) => isHinted(each, hints)) ?? value[0];
      if (item !== undefined && fits(schema, typeOfValue(item))) return item;
    }
  }
  return undefined;
}

function bestSource(name: string, schema: Schema, sources: readonly Source[]): Source | undefined {
  const fitting = sources.filter((source) => fits(schema, source.type));
  const named = fitting.filter((source) => sameName(source.name, name));
  // A parameter without a type accepts what a tool returns as its data.
  const asData =
    name === 'data' ? fitting.filter((source) => ['rows', 'data', 'answer'].includes(source.name)) : [];
  return [...(named.length > 0 ? named : asData)].sort((a, b) => a.distance - b.distance)[0];
}

/**
 * Returns the places in the results of plan steps, newest first; skips results about a file of another format
 * than the request names.
 */
export function sourcesOf(producers: readonly Producer[], hints: readonly string[]): Source[] {
  return [...producers]
    .reverse()
    .filter((producer) => !isOfAnotherFormat(producer.result, hints))
    .flatMap((producer, age) =>
      sourcesIn(producer, hints).map((source) => ({ ...source, distance: source.distance + 10 * age })),
    );
}

/** Returns every property of a tool's result, and of the items of its lists. */
function sourcesIn({ task, tool, result }: Producer, hints: readonly string[]): Source[] {
  const found: Source[] = [];
  const visit = (schema: Schema, value: unknown, path: string, depth: number) => {
    if (depth > MAX_DEPTH) return;
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const inner = (value as Record<string, unknown> | undefined | null)?.[name];
      found.push({ name, type: typeOf(property), value: { $from: task, path: at }, distance: depth });
      visit(property, inner, at, depth + 1);
      const items = property['items'] as Schema | undefined;
      if (!items) continue;
      const index = chosenItem(inner, hints);
      found.push({
        name,
        type: typeOf(items),
        value: { $from: task, path: `${at}/${index}` },
        distance: depth + 1,
      });
      visit(items, Array.isArray(inner) ? inner[index] : undefined, `${at}/${index}`, depth + 2);
    }
  };
  visit(tool.output, result, '', 0);
  return found;
}

function chosenItem(list: unknown, hints: readonly string[]): number {
  if (!Array.isArray(list)) return 0;
  return Math.max(
    0,
    list.slice(0, MAX_ITEMS).findIndex((item) => isHinted(item, hints)),
  );
}

/** File formats that requests name. */
const FORMATS = new Set(
  'xml csv tsv json yaml yml md txt pdf docx html ipynb rtf odt xlsx pptx epub'.split(' '),
);

/** Returns whether a result is about a file of another format than the request names. */
function isOfAnotherFormat(result: unknown, hints: readonly string[]): boolean {
  const name = (result as { name?: unknown } | null | undefined)?.name;
  const wanted = hints.filter((hint) => FORMATS.has(hint));
  return typeof name === 'string' && /\.\w+$/.test(name) && wanted.length > 0 && !isHinted(name, wanted);
}

/** Returns whether a value names a file of a format that the request names. */
function isHinted(value: unknown, hints: readonly string[]): boolean {
  const texts =
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value)
        : [];
  return texts.some(
    (text) =>
      typeof text === 'string' && hints.some((hint) => text.toLowerCase().endsWith(`.${hint.toLowerCase()}`)),
  );
}

const propertiesOf = (schema: Schema): Record<string, Schema> =>
  (schema['properties'] as Record<string, Schema> | undefined) ?? {};

const typeOf = (schema: Schema): string => (typeof schema['type'] === 'string' ? schema['type'] : 'any');

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function fits(schema: Schema, type: string): boolean {
  const wanted = typeOf(schema);
  return wanted === 'any' || wanted === type || type === 'any' || (wanted === 'number' && type === 'integer');
}

/** Interchangeable names: one tool's text can be another's Markdown. */
const TEXTS = new Set(['text', 'markdown', 'content', 'body', 'before', 'after']);

function sameName(given: string, wanted: string): boolean {
  return given === wanted || given === `${wanted}s` || (TEXTS.has(given) && TEXTS.has(wanted));
}
