import type { Schemas } from '#contracts/api/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { basename } from 'node:path';
import type { ApiClient } from '../client/api-client.js';
import { type Part, upload } from '../client/multipart.js';
import { isWord, requireFile } from './given-answers.js';

export type Decision = Schemas['Decision'];
/** What to answer, by the name of the field: a reference, `text` or `action`. */
export type Choices = Map<string, string>;

/** A property of the answer's JSON Schema. */
interface Field {
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Field>;
}

const propertiesOf = ({ answer_schema: schema }: Decision) =>
  (schema['properties'] as Record<string, Field> | undefined) ?? {};

/** The fields inside a field of the answer that is a form of its own, such as an encoding for each file. */
const innerFields = (decision: Decision, field: string) =>
  field === 'user_decisions' ? undefined : propertiesOf(decision)[field]?.properties;

/** The field of the answer that holds this one; undefined when none does. */
function formOf(decision: Decision, field: string): string | undefined {
  return Object.keys(propertiesOf(decision)).find((name) =>
    Object.hasOwn(innerFields(decision, name) ?? {}, field),
  );
}

/** The schema of a field of the answer; of a reference there is none. */
export function schemaOf(decision: Decision, field: string): Field | undefined {
  const form = formOf(decision, field);
  return form === undefined ? propertiesOf(decision)[field] : innerFields(decision, form)?.[field];
}

/** What the question offers for a field inside a form; undefined for any other field. */
export function offeredFor(decision: Decision, field: string): string | undefined {
  const form = formOf(decision, field);
  if (form === undefined) return undefined;
  return (decision.default_answer[form] as Record<string, string> | undefined)?.[field];
}

/** The fields that an answer has to have: a choice for each reference, else what its schema requires. */
export function fieldsOf(decision: Decision): string[] {
  const required = (decision.answer_schema['required'] as string[] | undefined) ?? [];
  // A reference that several places name is asked about once.
  if (required.includes('user_decisions')) return [...new Set(decision.references.map(({ ref }) => ref))];
  return required.flatMap((field) => Object.keys(innerFields(decision, field) ?? { [field]: true }));
}

/** The choices that accept whatever the question offers as its default. */
export function defaultChoices(decision: Decision): Choices {
  const { user_decisions, ...plain } = decision.default_answer;
  const references = Object.entries((user_decisions as Record<string, string> | undefined) ?? {});
  return new Map([
    ...Object.entries(plain).flatMap(([key, value]): [string, string][] =>
      innerFields(decision, key) ? Object.entries(value as Record<string, string>) : [[key, String(value)]],
    ),
    ...references,
  ]);
}

/**
 * Answers a decision: files are uploaded as parts of a multipart answer, everything else goes as JSON.
 *
 * @throws CliError when a file does not exist or the service refuses the answer
 */
export async function sendAnswer(client: ApiClient, decision: Decision, choices: Choices): Promise<Decision> {
  const params = { path: { decision_id: decision.id } };
  const path = '/api/decisions/{decision_id}/answer';
  const { body, parts } = await bodyOf(decision, choices);
  return parts ? upload(client, path, { params, parts }) : unwrap(client.POST(path, { params, body }));
}

/** What was typed, in the type of its field. To a question about a run's budget, a number is what to add. */
function plainField(decision: Decision, name: string, value: string): Record<string, unknown> {
  const { budget } = decision;
  if (!budget || !/^\d+$/.test(value)) return { [name]: typed(schemaOf(decision, name)?.type, value) };
  return { action: 'top_up', [budget.unit === 'tokens' ? 'add_tokens' : 'add_cost']: Number(value) };
}

/** Lists and objects are typed as JSON; what is none is left for the service to refuse. */
function typed(type: string | undefined, value: string): unknown {
  if (type === undefined || type === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function bodyOf(
  decision: Decision,
  choices: Choices,
): Promise<{ body: Record<string, unknown>; parts?: undefined } | { parts: Part[]; body?: undefined }> {
  const references = new Set(decision.references.map(({ ref }) => ref));
  const parts: Part[] = [];
  const plain: Record<string, unknown> = {};
  const userDecisions: Record<string, string> = {};
  for (const [name, value] of choices) {
    const form = formOf(decision, name);
    if (form !== undefined) plain[form] = { ...(plain[form] as object | undefined), [name]: value };
    else if (!references.has(name)) Object.assign(plain, plainField(decision, name, value));
    else if (isWord(value)) userDecisions[name] = value;
    else parts.push({ name, filename: basename(value), path: await requireFile(name, value) });
  }
  if (parts.length === 0) {
    return { body: { ...plain, ...(references.size > 0 ? { user_decisions: userDecisions } : {}) } };
  }
  const values = Object.entries({ ...plain, ...userDecisions });
  return { parts: [...values.map(([name, value]) => ({ name, value: String(value) })), ...parts] };
}
