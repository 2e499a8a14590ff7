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

/** Values of the fields that a schema knows, each from the first place that has one which fits. */
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
 * Both zones of a book's metadata as they are now kept, from what older or foreign writers left in them (B24): what stands in the wrong zone goes to its
 * own, and what the author said under a name that there is not goes to the notes. Normal zones stay as they are.
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

/** The author's notes, and below them what has no field of its own. */
function notesOf(concept: Fields): string {
  const known = new Set([
    ...['profile', 'notes', 'llm_runtime'],
    ...[bookProfileSchema, llmRuntimeSchema].flatMap(({ shape }) => Object.keys(shape)),
  ]);
  const { profile } = concept;
  const homeless = [...Object.entries(concept), ...(isFields(profile) ? Object.entries(profile) : [])]
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const said = typeof concept['notes'] === 'string' ? [concept['notes']] : [];
  return [...said, ...homeless].join('\n').slice(0, MAX_NOTES);
}
