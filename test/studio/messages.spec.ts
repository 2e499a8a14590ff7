import { endpoints, type Endpoint } from '#catalogue/endpoints.js';
import { findQuestion, questionNames } from '#catalogue/decisions.js';
import type { DecisionRequest } from '#contracts/decision-request.js';
import type { Locale } from '#contracts/phrases/catalogue.js';
import { runKindNames } from '#catalogue/registry.js';
import { articleNodes } from '#article/graph/routing.js';
import { bookNodes } from '#book/graph/routing.js';
import { changeNodes } from '#change/graph/routing.js';
import { routingTable } from '#document/graph/routing.js';
import { propertiesOf } from '#plan/contract/result-places.js';
import { platformCatalogue } from '#plan/tools/catalogue.js';
import { messageOf } from '../../apps/studio/src/i18n/messages.js';
import { z } from 'zod';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the keys of all messages of a language, such as `run.events`. */
function keysOf(language: string): string[] {
  const { studio } = JSON.parse(readFileSync(`libs/locales/${language}.json`, 'utf8')) as Locale;
  return Object.entries(studio).flatMap(([group, messages]) =>
    Object.keys(messages).map((name) => `${group}.${name}`),
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

/** Kinds of runs whose page links to the work; that of a change has none. */
const OPENED = runKindNames().filter((kind) => kind !== 'change');

describe('a message', () => {
  const messages = {
    run: {
      files: { one: '{count} plik', few: '{count} pliki', many: '{count} plików', other: '{count} pliku' },
    },
    edit: { of: '{name} by {who}' },
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
    const files = { files: { all: '{count} Dateien' } };
    expect(messageOf(files, language, 'files.all', { count: 1_234 })).toBe(text);
  });

  it('replaces its placeholders once, and keeps those without a value', () => {
    expect(messageOf(messages, 'en', 'edit.of', { name: '{who} $&', who: null })).toBe('{who} $& by {who}');
  });

  it.each(['run', 'run.other', 'other.files', 'edit.of.name', 'constructor.name', '__proto__.a', ''])(
    'does not exist for an unknown key: %p',
    (key) => {
      expect(messageOf(messages, 'en', key)).toBeNull();
    },
  );
});

describe('the messages of the studio', () => {
  it('contain every message that the code names', () => {
    const known = new Set(keysOf('en'));
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
      open: OPENED,
      node: [...articleNodes, ...bookNodes, ...changeNodes, ...routingTable.map(({ from }) => from)],
      question: questionNames(),
      waiting: questionNames(),
      choice: choices(),
      tool: platformCatalogue.map(({ name }) => name),
      step: platformCatalogue.map(({ name }) => name),
      argument: platformCatalogue.flatMap(({ input }) => Object.keys(propertiesOf(input))),
      auditAction: ['decisionAnswered', ...changes],
    };
    const keys = keysOf('en');
    for (const [group, names] of Object.entries(named))
      for (const name of names) expect(keys).toContain(`${group}.${name}`);
  });
});
