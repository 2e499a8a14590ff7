import { pointerTo } from '#contracts/json-pointer.js';
import { propertiesOf, typeOf, typesFit, type Schema } from '../contract/result-places.js';
import type { ToolDescription } from '../tools/tool.js';

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
  /** Its result, once available; a list in it with a single item supplies the item. */
  result?: unknown;
}

export interface Wired {
  arguments: Record<string, unknown>;
  /** Required parameters without a value. */
  missing: string[];
}

const MAX_DEPTH = 3;

/**
 * Fills the parameters of a tool by name and type: from the known values, then from the newest result with a
 * property of that name. Optional parameters are filled only from the known values.
 *
 * @param sources from `sourcesOf`
 */
export function wire(
  tool: ToolDescription,
  known: Record<string, unknown>,
  sources: readonly Source[],
): Wired {
  const required = requiredOf(tool);
  const wired: Wired = { arguments: {}, missing: [] };
  for (const [name, schema] of Object.entries(propertiesOf(tool.input))) {
    const given = knownValue(known, name, schema);
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

/** Returns the known value of a parameter, also if it is the only item of a list with the name in the plural. */
function knownValue(known: Record<string, unknown>, name: string, schema: Schema): unknown {
  const value = Object.hasOwn(known, name) ? known[name] : undefined;
  if (value !== undefined && fits(schema, typeOfValue(value))) return value;
  const list = Object.hasOwn(known, `${name}s`) ? known[`${name}s`] : value;
  const [item, ...others] = Array.isArray(list) ? (list as unknown[]) : [];
  return item !== undefined && others.length === 0 && fits(schema, typeOfValue(item)) ? item : undefined;
}

function bestSource(name: string, schema: Schema, sources: readonly Source[]): Source | undefined {
  const fitting = sources.filter((source) => fits(schema, source.type));
  const named = fitting.filter((source) => sameName(source.name, name));
  // A parameter without a type accepts what a tool returns as its data.
  const asData =
    name === 'data' ? fitting.filter((source) => ['rows', 'data', 'answer'].includes(source.name)) : [];
  return [...(named.length > 0 ? named : asData)].sort((a, b) => a.distance - b.distance)[0];
}

/** Returns the places in the results of plan steps, newest first. */
export function sourcesOf(producers: readonly Producer[]): Source[] {
  return [...producers]
    .reverse()
    .flatMap((producer, age) =>
      sourcesIn(producer).map((source) => ({ ...source, distance: source.distance + 10 * age })),
    );
}

/**
 * Returns every property of a tool's result, and of the item of each list that has only one. Of several items, a person
 * has to choose.
 */
function sourcesIn({ task, tool, result }: Producer): Source[] {
  const found: Source[] = [];
  const visit = (schema: Schema, value: unknown, path: string, depth: number) => {
    if (depth > MAX_DEPTH) return;
    for (const [name, property] of Object.entries(propertiesOf(schema))) {
      const at = pointerTo(path, name);
      const inner = (value as Record<string, unknown> | undefined | null)?.[name];
      found.push({ name, type: typeOf(property), value: { $from: task, path: at }, distance: depth });
      visit(property, inner, at, depth + 1);
      const items = property['items'] as Schema | undefined;
      if (!items || !Array.isArray(inner) || inner.length !== 1) continue;
      found.push({
        name,
        type: typeOf(items),
        value: { $from: task, path: `${at}/0` },
        distance: depth + 1,
      });
      visit(items, inner[0], `${at}/0`, depth + 2);
    }
  };
  visit(tool.output, result, '', 0);
  return found;
}

/** Returns the names of the parameters that a tool needs. */
export const requiredOf = ({ input }: ToolDescription): string[] =>
  (input['required'] as string[] | undefined) ?? [];

function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

const fits = (schema: Schema, type: string): boolean => typesFit(type, typeOf(schema));

/** Interchangeable names: one tool's text can be another's Markdown. */
const TEXTS = new Set(['text', 'markdown', 'content', 'body', 'before', 'after']);

function sameName(given: string, wanted: string): boolean {
  return given === wanted || given === `${wanted}s` || (TEXTS.has(given) && TEXTS.has(wanted));
}
