import type { Schemas } from '#catalogue/named-schemas.js';
import { readMoney } from '#contracts/phrases/parts.js';
import { unwrap } from '#contracts/api/responses.js';
import { basename } from 'node:path';
import type { ApiClient } from '../client/api-client.js';
import { type Part, upload } from '../client/multipart.js';
import { isWord, requireFile } from './given-answers.js';

export type Decision = Schemas['Decision'];
/** Values of an answer by field: a reference, `text` or `action`. */
export type Choices = Map<string, string>;

/** JSON Schema of an answer or of a field of it. */
interface AnswerSchema {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, AnswerSchema>;
  required?: string[];
}

/** The field of an answer that has a choice for each reference. */
const REFERENCES = 'user_decisions';

/**
 * Returns the names of the required fields of an answer. A form, such as an encoding for each file, is
 * replaced by its fields.
 */
export function fieldsOf({ answer_schema: schema }: Decision): string[] {
  const { properties = {}, required = [] } = schema as AnswerSchema;
  return required.flatMap((name) => Object.keys(properties[name]?.properties ?? { [name]: true }));
}

/** Returns the names of all fields of an answer, such as the feedback that goes with some actions. */
export function allFieldsOf(decision: Decision): string[] {
  const { properties = {}, required = [] } = decision.answer_schema as AnswerSchema;
  return [...fieldsOf(decision), ...Object.keys(properties).filter((name) => !required.includes(name))];
}

interface Field {
  schema?: AnswerSchema;
  /** Name of the form that the field is part of. */
  form?: string;
  /** Default that the decision offers for a field of a form. */
  offered?: string;
}

/** Returns the schema, form and default of a field of an answer; an empty object if the field is unknown. */
export function findField({ answer_schema: schema, default_answer }: Decision, name: string): Field {
  const { properties = {} } = schema as AnswerSchema;
  for (const [form, { properties: fields = {} }] of Object.entries(properties)) {
    const defaults = default_answer[form] as Record<string, string> | undefined;
    if (Object.hasOwn(fields, name)) return { schema: fields[name], form, offered: defaults?.[name] };
  }
  return Object.hasOwn(properties, name) ? { schema: properties[name] } : {};
}

export const isReference = (decision: Decision, field: string): boolean =>
  findField(decision, field).form === REFERENCES;

/** Returns the choices of a decision's default answer. */
export const defaultChoices = ({ default_answer: answer }: Decision): Choices =>
  new Map(
    Object.entries(answer).flatMap(([name, value]): [string, string][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value as Record<string, string>)
        : [[name, String(value)]],
    ),
  );

/**
 * Answers a decision: as multipart/form-data if the answer contains files, else as JSON.
 *
 * @throws CliError when a file does not exist or the service rejects the answer
 */
export async function sendAnswer(client: ApiClient, decision: Decision, choices: Choices): Promise<Decision> {
  const params = { path: { decision_id: decision.id } };
  const path = '/api/decisions/{decision_id}/answer';
  const { body, parts } = await bodyOf(decision, choices);
  return parts ? upload(client, path, { params, parts }) : unwrap(client.POST(path, { params, body }));
}

async function bodyOf(
  decision: Decision,
  choices: Choices,
): Promise<{ body: Record<string, unknown>; parts?: undefined } | { parts: Part[]; body?: undefined }> {
  const parts: Part[] = [];
  const answer: Record<string, unknown> = {};
  const forms: Record<string, Record<string, string>> = {};
  for (const [name, value] of choices) {
    const { form, schema } = findField(decision, name);
    if (form === REFERENCES && !isWord(value))
      parts.push({ name, filename: basename(value), path: await requireFile(name, value) });
    else if (form !== undefined) forms[form] = { ...forms[form], [name]: value };
    else Object.assign(answer, plainField(decision, name, value, schema?.type));
  }
  if (parts.length === 0) return { body: { ...answer, ...forms } };
  const values = Object.entries({ ...answer, ...forms[REFERENCES] });
  return { parts: [...values.map(([name, value]) => ({ name, value: String(value) })), ...parts] };
}

/** Returns a field with its parsed value. For a decision about a budget, a number is the amount to add. */
function plainField(
  { budget }: Decision,
  name: string,
  value: string,
  type?: string,
): Record<string, unknown> {
  const amount = budget ? readAmount(budget.unit, value) : null;
  if (!budget || amount === null) return { [name]: typed(type, value) };
  return { action: 'top_up', [budget.unit === 'tokens' ? 'add_tokens' : 'add_cost']: amount };
}

/** Returns an amount to add to a budget as the API expects it: tokens, or millionths of the currency; null for any other text. */
export const readAmount = (unit: 'tokens' | 'cost', typed: string): number | null =>
  unit === 'cost' ? readMoney(typed) : /^[1-9]\d*$/.test(typed) ? Number(typed) : null;

/** Parses a value as JSON unless its type is string. Invalid JSON remains text; the service rejects it. */
function typed(type: string | undefined, value: string): unknown {
  if (type === undefined || type === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
