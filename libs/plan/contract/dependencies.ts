import { isObject } from '#contracts/lenient.js';

/** Maximum length of a JSON Pointer into a result. */
export const MAX_POINTER_LENGTH = 500;

/** Argument from the result of an earlier plan step: a JSON Pointer (RFC 6901) into it. */
export interface ResultReference {
  $from: string;
  path: string;
  /** Value, or another reference, that replaces a value that does not exist, such as that of a skipped step. */
  default?: unknown;
}

/** Returns the argument as a reference; null if it is a plain value. Without zod, because the studio loads it. */
export function referenceOf(value: unknown): ResultReference | null {
  if (!isObject(value)) return null;
  const { $from, path, ...others } = value;
  if (typeof $from !== 'string' || typeof path !== 'string' || path.length > MAX_POINTER_LENGTH) return null;
  const names = Object.keys(others);
  if (names.length === 0) return { $from, path };
  return names.length === 1 && names[0] === 'default' ? { $from, path, ...others } : null;
}

/** Returns every reference to an earlier result within the arguments. */
export function referencesIn(value: unknown): ResultReference[] {
  const reference = referenceOf(value);
  if (reference) return [reference, ...referencesIn(reference.default)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(referencesIn);
}

/** Returns whether a value needs the result of a plan step without one; a reference with a default does not. */
export function needsResult(value: unknown, isWithout: (step: string) => boolean): boolean {
  const reference = referenceOf(value);
  if (reference)
    return (
      isWithout(reference.$from) && (!('default' in reference) || needsResult(reference.default, isWithout))
    );
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => needsResult(item, isWithout));
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
