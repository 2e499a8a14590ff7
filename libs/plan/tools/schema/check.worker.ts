import { z } from 'zod';

/** A JSON Schema that a tenant, its MCP server or a model wrote, and a value; without a value, the schema is only read. */
export interface SchemaCheck {
  schema: Record<string, unknown>;
  value?: unknown;
}

export type SchemaResult =
  | { is: 'unreadable' }
  /** Schema of an object whose property `answer` matches the given schema: references stay within one document. */
  | { is: 'readable'; object: Record<string, unknown> }
  /** The value with the defaults of the schema. */
  | { is: 'valid'; value: unknown }
  /** One problem for each part of the value that does not match, for the model that wrote it. */
  | { is: 'invalid'; problems: string[] };

/** Reads a schema, or checks a value by it. Runs in a thread unless `SchemaChecks` knows that it is quick. */
export default function check(given: SchemaCheck): SchemaResult {
  let schema: z.ZodType;
  try {
    schema = z.fromJSONSchema(given.schema as Parameters<typeof z.fromJSONSchema>[0]);
    if (!('value' in given))
      return {
        is: 'readable',
        object: z.toJSONSchema(z.object({ answer: schema })) as Record<string, unknown>,
      };
  } catch {
    return { is: 'unreadable' };
  }
  const checked = schema.safeParse(given.value);
  if (checked.success) return { is: 'valid', value: checked.data };
  return { is: 'invalid', problems: checked.error.issues.map(problemOf) };
}

function problemOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
