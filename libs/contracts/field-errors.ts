import texts from '#locales/en.json' with { type: 'json' };
import { z } from 'zod';
import { findText } from './phrases/known-text.js';
import type { Phrase } from './phrases/render.js';
import { phraseSchema } from './phrases/schema.js';

const { fieldErrors, fieldTypes } = texts.service;

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
  const known = findText(fieldErrors, message);
  if (known === null) return { path, message };
  const params = Object.entries(known.values).map(([name, value]): [string, string | Phrase] => {
    const type = typeCodes.get(value);
    return [name, type === undefined ? value : { code: type, params: {} }];
  });
  return { path, message, phrase: { code: known.code, params: Object.fromEntries(params) } };
}
