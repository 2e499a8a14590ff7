import { z } from 'zod';
import { fieldErrors, fieldTypes } from './phrases/en/field-errors.js';
import type { Phrase } from './phrases/render.js';
import { phraseSchema } from './phrases/schema.js';

/** A field of a request or answer that is not valid. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  message: z.string(),
  phrase: phraseSchema.optional().meta({ description: 'Code and parameters of the message.' }),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

const typeCodes = new Map(Object.entries(fieldTypes).map(([code, text]): [string, string] => [text, code]));

/** Returns the error with the phrase of its message, if the message is one of the catalogue's. */
export function fieldErrorOf({ path, message }: { path: string; message: string }): FieldError {
  for (const [code, text] of Object.entries(fieldErrors)) {
    const values = valuesIn(message, text);
    if (values === null) continue;
    const params = Object.entries(values).map(([name, value]): [string, string | Phrase] => {
      const type = typeCodes.get(value);
      return [name, type === undefined ? value : { code: type, params: {} }];
    });
    return { path, message, phrase: { code, params: Object.fromEntries(params) } };
  }
  return { path, message };
}

/** Returns the values with which a template gives the message; null if it does not. */
function valuesIn(message: string, template: string): Record<string, string> | null {
  const [start = '', ...parts] = template.split('{');
  if (!message.startsWith(start)) return null;
  const values: Record<string, string> = {};
  let at = start.length;
  for (const [index, part] of parts.entries()) {
    const [name = '', after = ''] = part.split('}');
    const isLast = index === parts.length - 1;
    const end = isLast && after === '' ? message.length : message.indexOf(after, at);
    if (end <= at) return null;
    values[name] = message.slice(at, end);
    at = end + after.length;
  }
  return at === message.length ? values : null;
}
