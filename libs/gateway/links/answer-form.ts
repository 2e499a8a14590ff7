import type { Translate } from '#contracts/phrases/translator.js';
import type { DecisionRequest } from '#catalogue/decisions.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { StudioWords } from '#contracts/phrases/studio-words.js';
import { escapeHtml } from '#verbatim/report/page-text.js';
import { DECISIONS, type JsonSchema } from '../decisions/decisions.controller.js';

/** Returns a question and the form of its answer as HTML; `inputs` are the files that may replace a missing one. */
export function answerForm(
  request: DecisionRequest,
  schema: JsonSchema,
  { translate, words, inputs }: { translate: Translate; words: StudioWords; inputs: readonly string[] },
): string {
  const { question, phrase: asked, context, context_phrases: facts, details } = request;
  const shown = context.map((fact, index) => (facts[index] ? translate(facts[index]) : fact));
  const list = shown.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('');
  const more = Object.entries(details).map(
    ([name, value]) =>
      `<h2>${escapeHtml(wordOf(words.field, name))}</h2><pre>${escapeHtml(textOf(value))}</pre>`,
  );
  const fields = fieldsOf(schema, request.default_answer, words, inputs);
  return `<h1>${escapeHtml(asked ? translate(asked) : question)}</h1><ul>${list}</ul>${more.join('')}
<form method="post">${fields}<button>${escapeHtml(translate(phrase('link_page.answer')))}</button></form>`;
}

/** Returns a field for each property; optional ones that hold lists or objects are left out. */
function fieldsOf(
  { properties = {}, required = [] }: JsonSchema,
  defaults: Record<string, unknown>,
  words: StudioWords,
  inputs: readonly string[],
): string {
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    if (name === DECISIONS)
      return Object.keys(field.properties ?? {}).map((ref) => {
        const choices = [
          ['skip', wordOf(words.choice, 'skip')],
          ...inputs.map((input) => [`use:${input}`, input]),
        ];
        return labelled(ref, ref, select(ref, choices as [string, string][], true));
      });
    const isRequired = required.includes(name);
    const control = controlOf(name, field, isRequired, words, defaults[name]);
    return control === null ? [] : labelled(name, wordOf(words.field, name), control, field.description);
  });
  return fields.join('\n');
}

function controlOf(
  name: string,
  { type, enum: values, const: only, anyOf }: JsonSchema,
  isRequired: boolean,
  words: StudioWords,
  preset: unknown,
): string | null {
  const choices = values ?? (only === undefined ? anyOf?.map((one) => one.const) : [only]);
  const attributes = `${named(name)}${isRequired ? ' required' : ''}`;
  if (choices?.every((choice) => choice !== undefined))
    return select(
      name,
      choices.map((choice) => [String(choice), wordOf(words.choice, String(choice))]),
      isRequired,
    );
  if (type === 'boolean')
    return select(
      name,
      [
        ['false', '–'],
        ['true', '✓'],
      ],
      isRequired,
    );
  if (type === 'integer' || type === 'number') return `<input type="number" step="any"${attributes}>`;
  if (type === 'string') return `<textarea${attributes}></textarea>`;
  return isRequired ? `<textarea${attributes}>${escapeHtml(textOf(preset))}</textarea>` : null;
}

function select(
  name: string,
  choices: readonly [value: string, label: string][],
  isRequired: boolean,
): string {
  const all = isRequired && choices.length === 1 ? choices : [['', ''] as const, ...choices];
  const options = all.map(
    ([value, label]) => `<option value="${escapeHtml(value)}">${escapeHtml(label)}</option>`,
  );
  return `<select${named(name)}${isRequired ? ' required' : ''}>${options.join('')}</select>`;
}

const named = (name: string) => ` id="${escapeHtml(name)}" name="${escapeHtml(name)}"`;

const labelled = (name: string, label: string, control: string, hint = '') =>
  `<label for="${escapeHtml(name)}">${escapeHtml(label)}</label>${control}<small>${escapeHtml(hint)}</small>`;

const wordOf = (words: Readonly<Record<string, string>>, name: string) =>
  Object.hasOwn(words, name) ? words[name]! : name;

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
