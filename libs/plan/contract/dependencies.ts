import { isObject } from '#contracts/lenient.js';

/** Maximum length of a JSON Pointer into a result. */
export const MAX_POINTER_LENGTH = 500;

/** Argument from the result of an earlier plan step: a JSON Pointer (RFC 6901) into it. */
export interface ResultReference {
  $from: string;
  path: string;
}

/** Returns the argument as a reference; null if it is a plain value. Without zod, because the studio loads it. */
export function referenceOf(value: unknown): ResultReference | null {
  if (!isObject(value) || Object.keys(value).length !== 2) return null;
  const { $from, path } = value;
  if (typeof $from !== 'string' || typeof path !== 'string' || path.length > MAX_POINTER_LENGTH) return null;
  return { $from, path };
}

/** Returns every reference to an earlier result within the arguments. */
export function referencesIn(value: unknown): ResultReference[] {
  const reference = referenceOf(value);
  if (reference) return [reference];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/**
 * Returns the plan steps that a plan step waits for: steps in `depends_on`, and steps whose results it uses.
 */
export function dependenciesOf(task: {
  arguments: unknown;
  when?: ResultReference | undefined;
  depends_on: readonly string[];
}): string[] {
  const used = referencesIn([task.arguments, task.when ?? null]).map(({ $from }) => $from);
  return [...new Set([...task.depends_on, ...used])];
}
