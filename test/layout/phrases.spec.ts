import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Errors that people see, and the position of the argument that says what happened. */
const ERRORS: Record<string, number> = {
  ProblemError: 1,
  RunFailure: 1,
  UnsupportedRunError: 1,
  ModelFailure: 1,
  ModelError: 1,
  TaskFailure: 1,
  ToolCallError: 1,
  BrokenOffCallError: 1,
  UnreadableSourceError: 0,
  UnreadablePageError: 0,
  SemanticUnavailableError: 0,
  ReplanRefused: 1,
  InvalidPlanError: 0,
  ExtractionError: 0,
  UndecodedError: 0,
  CliError: 0,
};

/** Returns the arguments of the call whose bracket opens before `from`. */
function argumentsAt(text: string, from: number): string[] {
  const found = [''];
  let depth = 1;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === '\\') at++;
      else if (letter === quote) quote = '';
    } else if (`'"\``.includes(letter)) quote = letter;
    else if ('([{'.includes(letter)) depth++;
    else if (')]}'.includes(letter) && --depth === 0) break;
    else if (letter === ',' && depth === 1) {
      found.push('');
      continue;
    }
    found[found.length - 1] += letter;
  }
  return found.map((argument) => argument.trim());
}

it('errors that people see have a phrase, so that they are shown in their language', () => {
  const untranslated = ['libs', 'apps']
    .flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
    )
    .filter((name) => name.endsWith('.ts') && !/\.spec\.|\/testing\/|\/openapi\/|node_modules/.test(name))
    .flatMap((name) => {
      const text = readFileSync(name, 'utf8');
      return [...text.matchAll(/new (\w+)\(/g)].flatMap((match) => {
        const position = ERRORS[match[1]!];
        if (position === undefined) return [];
        const detail = argumentsAt(text, match.index + match[0].length)[position] ?? '';
        return /^['"`]/.test(detail) ? [`${name}: ${detail}`] : [];
      });
    });
  expect(untranslated).toEqual([]);
});
