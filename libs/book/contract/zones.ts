import {
  bookProfileSchema,
  llmRuntimeSchema,
  userConceptSchema,
  type LlmRuntime,
  type UserConcept,
} from './profile.js';

type Fields = Record<string, unknown>;

const MAX_NOTES = 20_000;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the values of a schema's fields, each from the first place that contains a valid one. */
function pick(
  shape: Record<string, { safeParse(value: unknown): { data?: unknown } }>,
  places: Fields[],
): Fields {
  const found = Object.entries(shape).map(([name, schema]): [string, unknown] => [
    name,
    places.map((place) => schema.safeParse(place[name]).data).find((value) => value !== undefined),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/**
 * Returns both zones of a book's metadata in their current form, from metadata of older releases or other
 * clients (B24). Fields in the wrong zone move to the right one, and unknown fields of the author are added
 * to the notes. Normal zones stay unchanged.
 */
export function normaliseZones(
  conceptZone: unknown,
  runtimeZone: unknown,
): { concept: UserConcept; runtime: LlmRuntime } {
  const concept = isFields(conceptZone) ? conceptZone : {};
  const runtime = isFields(runtimeZone) ? runtimeZone : {};
  const profiles = [concept['profile'], concept, runtime['profile'], runtime].filter(isFields);
  const runtimes = [runtime, concept['llm_runtime'], concept].filter(isFields);
  const profile = bookProfileSchema.parse(pick(bookProfileSchema.shape, profiles));
  const notes = notesOf(concept);
  return {
    concept: userConceptSchema.parse({ profile, ...(notes === '' ? {} : { notes }) }),
    runtime: llmRuntimeSchema.parse(pick(llmRuntimeSchema.shape, runtimes)),
  };
}

/** Returns the author's notes, followed by unknown fields. */
function notesOf(concept: Fields): string {
  const known = new Set([
    ...['profile', 'notes', 'llm_runtime'],
    ...[bookProfileSchema, llmRuntimeSchema].flatMap(({ shape }) => Object.keys(shape)),
  ]);
  const { profile } = concept;
  const homeless = [...Object.entries(concept), ...(isFields(profile) ? Object.entries(profile) : [])]
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const notes = typeof concept['notes'] === 'string' ? [concept['notes']] : [];
  return [...notes, ...homeless].join('\n').slice(0, MAX_NOTES);
}
