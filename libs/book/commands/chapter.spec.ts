import type { ApiClient } from '#cli/client/api-client.js';
import type { createPrinter } from '#cli/commands/print-result.js';
import { Command } from 'commander';
import { registerOverrule, renderChapter } from './chapter.js';

describe('scriptorium book chapter', () => {
  it('B26 prints the findings of the chapter with its score', () => {
    const found = { id: 'f', rule: 'r', span: null, paragraph_id: null, evidence: [], suggestion: null };
    const overruled = { by: 'key_1', at: '2026-11-28T09:00:00.000Z', reason: 'The title says it.' };
    const findings = [
      { ...found, severity: 'error' as const, message: 'The passage says 1888.' },
      { ...found, severity: 'info' as const, message: 'Not word for word in the passage.', overruled },
    ];
    const written = { number: 2, title: 'Lamps', score: 76, open_questions: ['Who paid?'], findings };
    expect(renderChapter(written)).toBe(
      '2  Lamps  score 76\n     open: Who paid?\n     error: The passage says 1888. [f]\n     note: Not word for word in the passage. [f] (marked as wrong: The title says it.)\n',
    );
  });
});

describe('scriptorium book overrule', () => {
  const chapter = { id: 'cha_1', number: 2, title: 'Lamps', score: 84, etag: '"cha_1.7"', review: null };
  const pages: Record<string, object> = {
    '/api/books/projects': { items: [{ id: 'prj_1', title: 'Light' }], next_cursor: null },
    '/api/books/projects/{project_id}/chapters': { items: [chapter], next_cursor: null },
    '/api/books/chapters/{chapter_id}': chapter,
  };

  /** Runs the command; returns what it prints and the change that it sends. */
  async function overrule(...options: string[]) {
    let [printed, sent]: [string, unknown] = ['', null];
    const answer = (data: object) => Promise.resolve({ data, response: new Response() });
    const client = {
      GET: (path: string) => answer(pages[path]!),
      PATCH: (path: string, { params, headers, body }: Record<string, object>) => {
        sent = { path, ...params, headers, body };
        return answer({ ...chapter, score: 90 });
      },
    } as unknown as ApiClient;
    const printWork = (async (_, work, render) => {
      printed = render(await work({ client } as Parameters<typeof work>[0]));
    }) satisfies ReturnType<typeof createPrinter>;
    const command = new Command().argument('<book>').argument('<number>').argument('<finding>');
    registerOverrule(command, printWork);
    await command.parseAsync(['Light', '2', 'f1', ...options], { from: 'user' });
    return { printed, sent };
  }

  const sends = (overruled: object | null) => ({
    path: { chapter_id: 'cha_1', finding_id: 'f1' },
    headers: { 'If-Match': '"cha_1.7"' },
    body: { overruled },
  });

  it('B26 marks a finding as wrong with a reason, or takes that back, and prints the new score', async () => {
    const { printed, sent } = await overrule('--reason', 'The title says it.');
    expect(sent).toEqual(sends({ reason: 'The title says it.' }));
    expect(printed).toBe('2  Lamps  score 90\n');
    expect((await overrule()).sent).toEqual(sends({ reason: null }));
    expect((await overrule('--undo')).sent).toEqual(sends(null));
  });
});
