import { parseRepaired } from '#llm/wire/repaired-json.js';
import { z } from 'zod';

/**
 * Extracts JSON from an answer, even between other words or in a code fence, and validates it. Repairs what
 * models get wrong: curly quotes, trailing commas, line breaks in strings, and a list in place of the object
 * that contains only it.
 *
 * @throws Error that explains to the model what is wrong
 */
export function readJson<S extends z.ZodType>(schema: S, answer: string): z.infer<S> {
  const candidates = valuesIn(answer);
  if (candidates.length === 0) throw new Error('it holds no JSON.');
  let problem: z.ZodError | undefined;
  // The longest value is the answer; shorter ones may be citations or examples.
  for (const text of candidates.sort((a, b) => b.length - a.length)) {
    const value = parseRepaired(text);
    if (value === undefined) continue;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const wrapped = wrapList(schema, value);
    if (wrapped) return wrapped.data as z.infer<S>;
    problem ??= parsed.error;
  }
  if (problem === undefined) throw new Error('its JSON is not complete or not valid.');
  const issues = problem.issues.slice(0, 8).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`its JSON does not fit: ${issues.join('; ')}`);
}

/** Returns the outermost objects and lists of a text; the last may lack its end. */
function valuesIn(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isString && char === '\\') at++;
    else if (depth > 0 && char === '"') isString = !isString;
    else if (!isString && (char === '{' || char === '[')) {
      if (depth++ === 0) start = at;
    } else if (!isString && depth > 0 && (char === '}' || char === ']')) {
      if (--depth === 0) found.push(text.slice(start, at + 1));
    }
  }
  return depth > 0 ? [...found, text.slice(start)] : found;
}

/** Puts a bare list into the only field of the schema that accepts it. */
function wrapList(schema: z.ZodType, value: unknown) {
  if (!Array.isArray(value) || !(schema instanceof z.ZodObject)) return null;
  const fits = Object.keys(schema.shape).flatMap((key) => {
    const parsed = schema.safeParse({ [key]: value });
    return parsed.success ? [parsed] : [];
  });
  return fits.length === 1 ? fits[0]! : null;
}
