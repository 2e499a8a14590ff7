import { readDocx } from '#office/docx/read/read.js';
import type { ApiClient } from '#testing/api-client.js';
import { sourceSets } from '#testing/source-sets.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

/** X1: varied real material runs through to full coverage and a Word file. */
describe('X1 source sets', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  it.each(sourceSets())('$name', async ({ files, words }) => {
    const sessionId = await tenant.sessionWith(await files());
    const run = await tenant.startRun(sessionId, { source_appendix: true });
    const ended = await tenant.completed(run.id);
    expect(ended.progress.details['coverage']).toBe(1);
    const ledger = await tenant.get(`/api/sessions/${sessionId}/ledger`);
    expect(ledger.json.coverage).toBe(1);
    const docx = JSON.stringify(readDocx(await tenant.docx(sessionId)));
    for (const word of words) expect(docx).toContain(JSON.stringify(word).slice(1, -1));
    expect(docx).toContain('Sources and coverage');
  });
});
