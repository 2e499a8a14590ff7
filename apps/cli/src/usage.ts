import { translate } from '#cli/language.js';
import { findText } from '#contracts/phrases/known-text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import texts from '#locales/en.json' with { type: 'json' };
import type { Command } from 'commander';

const entries = Object.entries(texts.cli.commands);
const errors = Object.fromEntries(entries.filter(([code]) => /^usage\.\w+$/.test(code)));
const titles = new Map(
  entries.flatMap(([code, text]): [string, Phrase][] =>
    code.startsWith('usage.title.') ? [[text as string, { code, params: {} }]] : [],
  ),
);

/** Makes a program show commander's own messages in the terminal's language: errors, and the titles of its help. */
export function translateUsage(program: Command): Command {
  return program
    .showHelpAfterError(translate(phrase('usage.hint')))
    .configureOutput({ outputError: (text, write) => write(text.split('\n').map(translateLine).join('\n')) })
    .configureHelp({ styleTitle });
}

function styleTitle(title: string): string {
  const found = titles.get(title);
  return found ? translate(found) : title;
}

/** Returns a line of commander in the terminal's language; lines that others wrote are unchanged. */
function translateLine(line: string): string {
  const known = findText(errors, line);
  if (known === null) return line;
  const params = Object.entries(known.values).map(([name, value]) => [name, translateLine(value)]);
  return translate({ code: known.code, params: Object.fromEntries(params) as Phrase['params'] });
}
