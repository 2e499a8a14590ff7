import { endpoints, type Endpoint } from '#contracts/api/endpoints.js';
import { findQuestion, questionNames } from '#contracts/decisions.js';
import type { DecisionRequest } from '#contracts/decision-request.js';
import { runKindNames } from '#contracts/registry.js';
import { articleNodes } from '#article/graph/routing.js';
import { bookNodes } from '#book/graph/routing.js';
import { changeNodes } from '#change/graph/routing.js';
import { routingTable } from '#document/graph/routing.js';
import { platformCatalogue } from '#plan/tools/catalogue.js';
import { messageOf } from '../../apps/studio/src/i18n/messages.js';
import { z } from 'zod';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LANGUAGES = ['de', 'en', 'pl'] as const;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

interface Messages {
  [key: string]: string | Messages;
}

/** Every message of a language by its key, such as `run.events_one`. */
function messagesOf(language: string): Map<string, string> {
  const flat = (messages: Messages, before: string): [string, string][] =>
    Object.entries(messages).flatMap(([key, message]) =>
      typeof message === 'string'
        ? [[before + key, message] as [string, string]]
        : flat(message, `${before}${key}.`),
    );
  return new Map(
    flat(JSON.parse(readFileSync(`apps/studio/src/i18n/${language}.json`, 'utf8')) as Messages, ''),
  );
}

/** Returns the choices of all questions whose answers have the same schema for every request. */
function choices(): string[] {
  const schemas = questionNames().flatMap((name) => {
    const { answer } = findQuestion(name)!;
    return answer.length === 0 ? [z.toJSONSchema(answer({} as DecisionRequest))] : [];
  });
  return schemas.flatMap(({ properties }) =>
    Object.values(properties ?? {}).flatMap((property) => (property as { enum?: string[] }).enum ?? []),
  );
}

describe('a message', () => {
  const messages = {
    run: { files_one: '{{count}} plik', files_few: '{{count}} pliki', files_many: '{{count}} plików' },
    edit: { apply_zero: 'Reject all', apply_other: 'Apply {{count}}', of: '{{name}} by {{who}}' },
  };

  it.each([
    [1, '1 plik'],
    [3, '3 pliki'],
    [5, '5 plików'],
  ])('has the plural form of its language: %i', (count, text) => {
    expect(messageOf(messages, 'pl', 'run.files', { count })).toBe(text);
  });

  it.each([
    ['en', '1,234 Dateien'],
    ['de', '1.234 Dateien'],
  ])('groups the digits of a count as in its language: %s', (language, text) => {
    const files = { files: { all_other: '{{count}} Dateien' } };
    expect(messageOf(files, language, 'files.all', { count: 1_234 })).toBe(text);
  });

  it('may have another text for 0', () => {
    const texts = [0, 2].map((count) => messageOf(messages, 'en', 'edit.apply', { count }));
    expect(texts).toEqual(['Reject all', 'Apply 2']);
  });

  it('replaces its placeholders once, and keeps those without a value', () => {
    expect(messageOf(messages, 'en', 'edit.of', { name: '{{who}} $&' })).toBe('{{who}} $& by {{who}}');
  });

  it.each(['run', 'run.other', 'other.files', 'edit.of.name', 'constructor.name', '__proto__.a', ''])(
    'does not exist for an unknown key: %p',
    (key) => {
      expect(messageOf(messages, 'en', key)).toBeNull();
    },
  );
});

describe('the messages of the studio', () => {
  it('are the same in every language, and none is empty', () => {
    const keys = LANGUAGES.map((language) =>
      [...new Set([...messagesOf(language).keys()].map((key) => key.replace(PLURAL, '')))].sort(),
    );
    for (const others of keys) expect(others).toEqual(keys[0]);
    for (const language of LANGUAGES)
      for (const [key, text] of messagesOf(language))
        expect([language, key, text.trim() === '']).toEqual([language, key, false]);
  });

  it('have every plural form of the language', () => {
    for (const language of LANGUAGES) {
      const messages = messagesOf(language);
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      for (const key of messages.keys())
        if (PLURAL.test(key))
          for (const category of pluralCategories)
            expect([...messages.keys()]).toContain(key.replace(PLURAL, `_${category}`));
    }
  });

  it('contain every message that the code names', () => {
    const names = [...messagesOf('en').keys()].map((key) => key.replace(PLURAL, ''));
    const known = new Set(names);
    for (const file of readdirSync('apps/studio/src', { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file)) continue;
      const code = readFileSync(join('apps/studio/src', file), 'utf8');
      for (const [, key] of code.matchAll(/\bt\(\s*'([a-zA-Z]+\.[\w.-]+)'/g))
        expect([file, key, known.has(key!)]).toEqual([file, key, true]);
    }
  });

  it('name every kind of run, every node of the graphs, every question with its choices, every built-in tool and every change in the audit log', () => {
    const changes = Object.entries<Endpoint>(endpoints)
      .filter(([, { method, open }]) => method !== 'GET' && !open)
      .map(([name]) => name);
    const named = {
      kind: runKindNames(),
      node: [...articleNodes, ...bookNodes, ...changeNodes, ...routingTable.map(({ from }) => from)],
      question: questionNames(),
      choice: choices(),
      tool: platformCatalogue.map(({ name }) => name),
      auditAction: ['decisionAnswered', ...changes],
    };
    for (const language of LANGUAGES) {
      const messages = messagesOf(language);
      for (const [group, names] of Object.entries(named))
        for (const name of names) expect([...messages.keys()]).toContain(`${group}.${name}`);
    }
  });
});
