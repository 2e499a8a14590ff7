import { referenceSchema, type Reference, type ReferenceField } from '#contracts/bibliography.js';

/** An entry of an imported bibliography. */
export interface ReferenceEntry {
  /** Citation key or ID. */
  key: string;
  reference: Reference;
}

/**
 * Returns a reference with the fields that are valid. A field that is not valid, such as an overlong one, is kept in
 * `other`, so that an import loses nothing.
 *
 * @param unplaced further fields of the entry
 */
export function createReference(found: Map<string, unknown>, unplaced: Map<string, unknown>): Reference {
  const reference: Record<string, unknown> = {};
  const other = new Map(unplaced);
  for (const [name, value] of found) {
    const parsed = referenceSchema.shape[name as ReferenceField].safeParse(value);
    if (parsed.success) reference[name] = parsed.data;
    else other.set(name, value);
  }
  // The schema drops the key "__proto__".
  const kept = [...other].filter(([name, value]) =>
    Object.hasOwn(otherSchema.safeParse({ [name]: value }).data ?? {}, name),
  );
  if (kept.length > 0) reference['other'] = Object.fromEntries(kept);
  return reference as Reference;
}

const otherSchema = referenceSchema.shape.other.unwrap();
