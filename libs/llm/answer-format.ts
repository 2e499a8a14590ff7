import { z } from 'zod';
import { portableSchema } from './wire/portable-schema.js';

/** Schema of an answer, with a name for the server. */
export interface AnswerSchema {
  name: string;
  schema: z.ZodType;
}

/** Returns the call option that asks for JSON of a schema; none without a schema. */
export function formatOf(wanted: AnswerSchema | undefined): { response_format?: object } {
  if (!wanted) return {};
  const json = z.toJSONSchema(wanted.schema, { io: 'input', unrepresentable: 'any' });
  const schema = portableSchema(json as Record<string, unknown>);
  return { response_format: { type: 'json_schema', json_schema: { name: wanted.name, schema } } };
}
