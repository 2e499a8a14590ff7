import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import type { Ledger } from '#verbatim/ledger.js';
import type { ApiClient } from '#testing/api-client.js';
import { cliEnv, succeedCli } from '#testing/cli.js';
import { sharedStack } from '#testing/shared-stack.js';

const POLISH = 'Łódź, zażółć gęślą jaźń: część źródeł została zapisana dawno temu.';
const GERMAN = 'Grüße aus Köln: über die Brücke führt die Straße nach Süden, größer als früher.';

/**
 * D7: a person decides the encoding of text that is not UTF-8 and does not declare one; the ledger lists each
 * conversion.
 */
describe('text of other encodings in a run', () => {
  let tenant: ApiClient;

  beforeAll(async () => {
    tenant = await (await sharedStack()).tenant();
  });

  async function begin(): Promise<{ sessionId: string; runId: string }> {
    const sessionId = await tenant.sessionWith({
      'utf-8.txt': `1 ${POLISH}\n`,
      'polish.txt': iconv.encode(`2 ${POLISH}\n`, 'windows-1250'),
      'german.html': iconv.encode(`<p>3 ${GERMAN}</p>`, 'windows-1252'),
      'declared.html': iconv.encode(`<meta charset="iso-8859-2"><p>4 ${POLISH}</p>`, 'iso-8859-2'),
      'marked.txt': iconv.encode(`5 ${POLISH}\n`, 'utf-16be', { addBOM: true }),
    });
    return { sessionId, runId: (await tenant.startRun(sessionId, { source_appendix: true })).id };
  }

  it('D7 X3 asks with a guess and a preview, reads each file as answered, and lists the conversions', async () => {
    const { sessionId, runId } = await begin();
    const decision = await tenant.decision(runId);
    expect(decision.decision_type).toBe('encodings');
    const { files } = decision.details as {
      files: { name: string; offers: { encoding: string; preview: string }[] }[];
    };
    expect(files.map(({ name }) => name)).toEqual(['german.html', 'polish.txt']);
    const polish = files[1]!.offers;
    expect(polish.find(({ encoding }) => encoding === 'windows-1250')?.preview).toBe(`2 ${POLISH}`);
    expect(decision.context.join('\n')).toContain(`polish.txt looks like ${polish[0]!.encoding}`);
    const path = `/api/decisions/${decision.id}/answer`;
    const wrong = { encodings: { 'polish.txt': 'klingon', 'german.html': 'windows-1252' } };
    expect((await tenant.post(path, wrong)).json.code).toBe('invalid_answer');
    const answer = { encodings: { 'polish.txt': 'windows-1250', 'german.html': 'windows-1252' } };
    expect((await tenant.post(path, answer)).status).toBe(200);
    await tenant.completed(runId);

    const manuscript = await tenant.manuscript(sessionId);
    for (const line of [`1 ${POLISH}`, `2 ${POLISH}`, `3 ${GERMAN}`, `4 ${POLISH}`, `5 ${POLISH}`])
      expect(manuscript).toContain(line);
    const by = (await tenant.get(`/api/decisions/${decision.id}`)).json.answered_by;
    const ledger = (await tenant.get(`/api/sessions/${sessionId}/ledger`)).json as Ledger;
    expect(ledger.coverage).toBe(1);
    expect(Object.fromEntries(ledger.files.map(({ name, converted }) => [name, converted]))).toEqual({
      'utf-8.txt': undefined,
      'polish.txt': { from: 'windows-1250', by },
      'german.html': { from: 'windows-1252', by },
      'declared.html': { from: 'iso-8859-2', by: 'the file itself' },
      'marked.txt': { from: 'utf-16be', by: 'byte order mark' },
    });
    const page = await tenant.get(`/api/sessions/${sessionId}/ledger?format=html`);
    expect(page.text).toContain(`converted from windows-1250, as decided by ${String(by)}`);
    expect(Buffer.from(await tenant.docx(sessionId)).length).toBeGreaterThan(0);

    // A decision of the session is not asked for again.
    await tenant.completed((await tenant.startRun(sessionId)).id);
  });

  it('D7 X3 uses the guess if nobody answers in time, and reports it', async () => {
    const sessionId = await tenant.sessionWith({ 'old.txt': iconv.encode(`${GERMAN}\n`, 'windows-1252') });
    const run = await tenant.startRun(sessionId, { decisions: { deadline_seconds: 1 } });
    await tenant.completed(run.id);
    const ledger = (await tenant.get(`/api/sessions/${sessionId}/ledger`)).json as Ledger;
    expect(ledger.files[0]).toMatchObject({ name: 'old.txt', converted: { by: 'deadline' } });
    expect(await tenant.manuscript(sessionId)).toContain(GERMAN);
  });

  it('D7 uses the encoding that the command line gives for a file, without a question', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scriptorium-encodings-'));
    try {
      await writeFile(join(dir, 'old.txt'), iconv.encode(`${POLISH}\n`, 'windows-1250'));
      const args = ['write', 'old.txt', '-o', 'o.docx', '--md', 'o.md', '--answer', 'old.txt=windows-1250'];
      await succeedCli(args, { cwd: dir, env: cliEnv(tenant) });
      expect(await readFile(join(dir, 'o.md'), 'utf8')).toContain(POLISH);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('D7 immediately rejects a file that is not text in any encoding', async () => {
    const sessionId = await tenant.sessionWith({ 'a.md': '# A\n' });
    const refused = await tenant.upload(sessionId, { 'b.txt': Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0xff]) });
    expect([refused.status, refused.json.code]).toEqual([422, 'not_text']);
  });
});
