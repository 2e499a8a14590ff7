import { CliError } from '#cli/cli-error.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { isObject, jsonOf } from '#contracts/lenient.js';
import { readFile } from 'node:fs/promises';

/** Reads a JSON object from a file. @throws CliError when the file cannot be read or is not a JSON object */
export async function readObject(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file, code: String(error.code) }));
  });
  return parseObject(text, `"${file}"`);
}

/** @param what names the text in the error @throws CliError when the text is not a JSON object */
export function parseObject(text: string, what: string): Record<string, unknown> {
  const value = jsonOf(text);
  if (!isObject(value)) throw new CliError(phrase('cli_error.not_an_object', { what }));
  return value;
}
