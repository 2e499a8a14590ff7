import { phrase } from '#contracts/phrases/phrase.js';
import { createTwoFilesPatch, diffLines } from 'diff';
import { z } from 'zod';
import { MAX_RESULT_LENGTH } from '../stored-result.js';
import { defineTool, FOR_PEOPLE, ToolCallError } from '../tool.js';
import { evaluate, readExpression } from './expression.js';
import { isTable, recordOf, rowSchema, tableJsonSchema } from './record.js';
import { queryTables } from './sql.js';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const queryTablesTool = defineTool({
  name: 'query_tables',
  description:
    "Query tables with SQL (DuckDB): join, filter, group and sort rows of one or more tables. Empty cells are NULL. A column is one of numbers (1.250,50; 12 kg becomes 12, 5 % becomes 5) or of dates if all its values are: use it without converting it. Other columns are texts, which do not compare or compute with numbers; convert them in the query, as in CAST(sent_at AS TIMESTAMP), and sort them with COLLATE NOCASE. Objects are JSON: json_extract_string(contact, '$.email').",
  input: z.object({
    tables: recordOf({
      names: /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
      schema: tableJsonSchema,
      isValue: isTable,
    }).describe('rows of each table by its name'),
    sql: z.string().min(1).max(20_000).describe('one SELECT statement; values as ? placeholders'),
    parameters: z.array(scalar).max(100).optional().describe('values of the placeholders, in order'),
  }),
  output: z.object({
    columns: z.array(z.string()).describe('names of the columns'),
    rows: z.array(rowSchema).describe('rows of the result'),
  }),
  run: ({ tables, sql, parameters = [] }) => queryTables(tables, sql, parameters),
});

export const transformJson = defineTool({
  name: 'transform_json',
  description: 'Transform, filter or reshape JSON data with a JSONata expression.',
  input: z.object({
    data: z.unknown().describe('input of the expression'),
    expression: z
      .string()
      .min(1)
      .max(20_000)
      .describe(
        'the JSONata expression; in brackets, as in [orders[price > 5]], its result is always a list, also with one hit or none',
      ),
  }),
  output: z.object({
    data: z.unknown().describe('result of the expression; null if there is none'),
    missing_fields: z
      .array(z.string())
      .optional()
      .meta({ [FOR_PEOPLE]: true })
      .describe('of an empty result: fields that the expression names and no object of the data has'),
  }),
  async run({ data, expression }) {
    const result = await evaluate(expression, data);
    if (isFunction(result)) return { data: null };
    const isEmpty = result === undefined || (Array.isArray(result) && result.length === 0);
    const missing = isEmpty ? await missingFields(expression, data) : [];
    // A JSONata sequence is an array with extra properties; JSON drops them.
    const json = JSON.stringify(result ?? null) ?? 'null';
    if (json.length > MAX_RESULT_LENGTH)
      throw new ToolCallError('too_large', phrase('tool_error.expression_too_large', { max: 64 }));
    // The last list is the one that people are told the length of.
    return { ...(missing.length > 0 && { missing_fields: missing }), data: JSON.parse(json) as unknown };
  },
});

/** Returns the fields that an expression names and no object of its data has; none if a list of the data has no rows. */
async function missingFields(expression: string, data: unknown): Promise<string[]> {
  const inside = objectsIn(data);
  if (inside.some((each) => Array.isArray(each) && each.length === 0)) return [];
  const fields = new Set(inside.flatMap(Object.keys));
  const parts = objectsIn((await readExpression(expression)).ast()) as { type?: unknown; value?: unknown }[];
  const names = parts.flatMap(({ type, value }) => (type === 'name' ? [String(value)] : []));
  return [...new Set(names)].filter((name) => !fields.has(name));
}

/** Returns all objects and lists inside a value, each once. */
function objectsIn(value: unknown): object[] {
  const found = new Set<object>();
  const queue = [value];
  for (const each of queue) {
    if (typeof each !== 'object' || each === null || found.has(each)) continue;
    found.add(each);
    for (const inner of Object.values(each)) queue.push(inner);
  }
  return [...found];
}

/** Returns whether a result is a JSONata function, which cannot become JSON. */
function isFunction(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('_jsonata_function' in value || '_jsonata_lambda' in value)
  );
}

export const diffTexts = defineTool({
  name: 'diff_texts',
  description:
    'Compare two texts line by line and return a unified diff with the numbers of added and removed lines.',
  input: z.object({
    before: z.string().max(8_000_000).describe('the older text'),
    after: z.string().max(8_000_000).describe('the newer text'),
  }),
  output: z.object({
    equal: z.boolean(),
    added: z.number().int().describe('lines added'),
    removed: z.number().int().describe('lines removed'),
    patch: z.string().describe('unified diff'),
  }),
  run({ before, after }) {
    const parts = diffLines(before, after);
    const count = (of: 'added' | 'removed') =>
      parts.reduce((sum, part) => sum + (part[of] ? (part.count ?? 0) : 0), 0);
    return {
      equal: before === after,
      added: count('added'),
      removed: count('removed'),
      patch: before === after ? '' : createTwoFilesPatch('before', 'after', before, after),
    };
  },
});

export const branch = defineTool({
  name: 'branch',
  description:
    'Check a condition on data, so that later tasks run only if it holds or only if it does not: their "when" refers to "/then" or "/else" of the result.',
  input: z.object({
    data: z.unknown().describe('input of the condition'),
    condition: z
      .string()
      .min(1)
      .max(20_000)
      .describe('JSONata expression that returns true or false, such as "$count(rows) > 0"'),
  }),
  output: z.object({
    then: z.boolean().describe('whether the condition holds'),
    else: z.boolean().describe('whether the condition does not hold'),
  }),
  async run({ data, condition }) {
    const result = await evaluate(condition, data);
    // Other values are refused: an empty list or a text is more often a mistake than a condition.
    if (typeof result !== 'boolean')
      throw new ToolCallError(
        'invalid_expression',
        result === undefined
          ? phrase('tool_error.condition_nothing')
          : phrase('tool_error.condition_type', { type: typeof result }),
      );
    return { then: result, else: !result };
  },
});
