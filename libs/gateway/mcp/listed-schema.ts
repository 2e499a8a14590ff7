import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isObject } from '#contracts/lenient.js';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Keywords that fill a listed schema without telling a model anything that it can use. */
const NOISE = new Set(['$schema', 'propertyNames', 'minLength', 'maxLength', 'contentEncoding']);

/**
 * Returns the schema of a tool's arguments as `tools/list` shows it: complete, but without lengths, patterns
 * of named formats, bounds that every JavaScript integer has, and a mark of nested objects that are closed.
 */
export const listedInput = (schema: z.ZodObject): StandardSchemaWithJSON =>
  listedAs(schema, withoutNoise(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema);

/**
 * Returns the schema of a tool's result as `tools/list` shows it: only the types of its fields, because
 * the lists of all tools fill the window of the client's model. Results are checked by the whole schema.
 */
export function listedOutput(schema: z.ZodObject): StandardSchemaWithJSON {
  const { properties = {}, $defs = {} } = z.toJSONSchema(schema, { io: 'output' });
  const fields = Object.entries(properties).map(([name, field]) => {
    const types = [...new Set(typesOf(field, $defs))];
    const isTyped = types.length > 0 && !types.includes(undefined);
    return [name, isTyped ? { type: types.length > 1 ? types : types[0] } : {}];
  });
  return listedAs(schema, { type: 'object', properties: Object.fromEntries(fields) as typeof properties });
}

/** Returns a schema that validates like `schema` and is listed as `shown`. */
function listedAs(schema: z.ZodObject, shown: JsonSchema): StandardSchemaWithJSON {
  const { version, vendor, validate } = schema['~standard'];
  const show = () => shown as Record<string, unknown>;
  return { '~standard': { version, vendor, validate, jsonSchema: { input: show, output: show } } };
}

/** Returns the types that a value can have; undefined stands for a type that the schema does not name. */
function typesOf(schema: JsonSchema | boolean, defs: Record<string, JsonSchema>): (string | undefined)[] {
  if (typeof schema === 'boolean') return [undefined];
  const { $ref, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return typesOf(defs[$ref.slice('#/$defs/'.length)] ?? true, defs);
  const alternatives = anyOf ?? oneOf;
  return alternatives ? alternatives.flatMap((each) => typesOf(each, defs)) : [type].flat();
}

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, part]) =>
      !NOISE.has(key) &&
      !(key === 'pattern' && 'format' in value) &&
      Math.abs(Number(part)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, closedOnTop(withoutNoise(part))]));
}

/** Leaves out of a nested schema that it allows no other fields, which its fields show. */
function closedOnTop(schema: unknown): unknown {
  if (!isObject(schema) || schema['additionalProperties'] !== false) return schema;
  const { additionalProperties: _, ...rest } = schema;
  return rest;
}
