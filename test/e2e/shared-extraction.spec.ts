import { createDatabase, type Database } from '#db/client.js';
import type { ApiClient } from '#testing/api-client.js';
import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('base64');
const REPORT = wordFile(wordParagraph('The pump failed at noon.'));

/** X6: sessions of a tenant share the text of equal files, tenants do not. */
describe('sharing extracted texts', () => {
  let stack: LeasedStack;
  let db: Database;

  beforeAll(async () => {
    stack = await leasedStack('own');
    db = createDatabase(stack.database.url, 1);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.release();
  });

  const write = async (client: ApiClient, files: Record<string, Uint8Array>) => {
    const sessionId = await client.sessionWith(files);
    await client.completed((await client.startRun(sessionId, { without_model: true })).id);
    const text = await db.sessionFile.findFirst({ where: { sessionId, folder: 'texts' } });
    return { sessionId, text: text! };
  };

  it('takes over what a session of the same tenant has extracted from the same file', async () => {
    const client = await stack.tenant();
    const first = await write(client, { 'report.docx': REPORT });
    await db.sessionFile.update({ where: { id: first.text.id }, data: { mediaType: 'text/x-taken-over' } });
    const second = await write(client, { 'report.docx': REPORT });
    expect(second.text).toMatchObject({
      mediaType: 'text/x-taken-over',
      extraction: first.text.extraction,
      inventory: first.text.inventory,
    });
    expect(await client.manuscript(second.sessionId)).toBe(await client.manuscript(first.sessionId));
    const other = wordFile(wordParagraph('The pump failed at one.'));
    expect((await write(client, { 'report.docx': other })).text.mediaType).toBe('text/markdown');
    const stranger = await write(await stack.tenant(), { 'report.docx': REPORT });
    expect(stranger.text).toMatchObject({ mediaType: 'text/markdown', extraction: first.text.extraction });

    // The copies do not depend on the session that was first.
    expect((await client.request('DELETE', `/api/sessions/${first.sessionId}`)).status).toBe(204);
    const again = { without_model: true, only_changed: true };
    await client.completed((await client.startRun(second.sessionId, again)).id);
    expect(await client.manuscript(second.sessionId)).toContain('The pump failed at noon.');
  });

  it('takes over no text that names a missing image, and no note about a file that was left out', async () => {
    const client = await stack.tenant();
    const page = Buffer.from(`<p>The pump:</p><img src="data:image/svg+xml;base64,${SVG}" alt="Pump">`);
    const first = await write(client, { 'page.html': page });
    const images = { where: { sessionId: first.sessionId, folder: 'assets' } };
    expect((await db.sessionFile.deleteMany(images)).count).toBe(1);
    const { sessionId } = await write(client, { 'page.html': page });
    expect(await db.sessionFile.count({ where: { sessionId, folder: 'assets' } })).toBe(1);

    const files = { 'good.md': Buffer.from('# Dock\n'), 'bad.ipynb': Buffer.from('{"cells": [') };
    const leaveOut = async (session: string) => {
      const { id } = await client.startRun(session, { without_model: true });
      const decision = await client.decision(id);
      await client.post(`/api/decisions/${decision.id}/answer`, { action: 'leave_out' });
      await client.completed(id);
    };
    const session = await client.sessionWith(files);
    await leaveOut(session);
    await client.completed((await client.startRun(session, { without_model: true })).id);
    expect(await client.manuscript(session)).toContain('This file was left out');
    await leaveOut(await client.sessionWith(files));
  });
});
