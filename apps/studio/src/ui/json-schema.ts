/** The part of JSON Schema (draft 2020-12) that forms use. */
export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  /** What a field offers instead of free text: names of input files, or collections. */
  'x-picks'?: 'input' | 'collection';
  /** Set if only the answer to an approval may contain the value. */
  'x-for-people'?: true;
}

/** An answer being edited; a file is to be uploaded for a reference. */
export type AnswerValue =
  string | number | boolean | null | File | AnswerValue[] | { [name: string]: AnswerValue };

export const isRecord = (value: AnswerValue | undefined): value is { [name: string]: AnswerValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File);

/** Returns whether a schema asks for a missing file: to omit it, or to use a file of the session. */
export function isReferenceChoice({ anyOf = [] }: JsonSchema): boolean {
  return (
    anyOf.some(({ const: value }) => value === 'skip') &&
    anyOf.some(({ pattern }) => pattern?.startsWith('^use:'))
  );
}

/** Returns the choices of a schema with a few fixed values; null for any other. */
export function choicesOf(schema: JsonSchema): string[] | null {
  if (schema.enum) return schema.enum.map(String);
  if (schema.const !== undefined) return [String(schema.const)];
  if (!schema.anyOf) return null;
  const values = schema.anyOf.map(({ const: value }) => value);
  return values.every((value) => value !== undefined) ? values.map(String) : null;
}

/** Returns an answer in which nothing is chosen yet; '' marks a required value that the user has to give. */
export function initialAnswer(schema: JsonSchema): AnswerValue {
  if (schema.type === 'object' || schema.properties) {
    const required = Object.entries(schema.properties ?? {}).filter(([name]) =>
      schema.required?.includes(name),
    );
    return Object.fromEntries(required.map(([name, field]) => [name, initialAnswer(field)]));
  }
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  const choices = choicesOf(schema);
  return choices?.length === 1 ? choices[0]! : '';
}

/** Returns whether an answer has a value for each required field. */
export function isComplete(schema: JsonSchema, value: AnswerValue): boolean {
  if (value === '') return schema.type === 'string' && !choicesOf(schema) && !schema.minLength;
  if (!isRecord(value)) return true;
  const fields = Object.entries(schema.properties ?? {});
  return fields.every(
    ([name, field]) => !schema.required?.includes(name) || isComplete(field, value[name] ?? ''),
  );
}

/** Returns the files of an answer, by field name. */
export function filesOf(value: AnswerValue, name = ''): [string, File][] {
  if (value instanceof File) return [[name, value]];
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => filesOf(inner, field));
}

/** Returns the single values of an answer, each with its field name. */
export function leavesOf(value: AnswerValue, name = ''): [name: string, value: string][] {
  if (isRecord(value)) return Object.entries(value).flatMap(([field, inner]) => leavesOf(inner, field));
  return [[name, Array.isArray(value) ? value.map(String).join(', ') : String(value)]];
}
