import { gatewaySettings, loadSettings } from '#config/settings.js';
import { newId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { sessionKey, sessionPrefix } from '#storage/session-keys.js';
import { withLostFirstAck } from '#testing/lost-first-ack.js';
import { sessionFixture, type SessionFixture } from '#testing/session-fixture.js';
import { Readable } from 'node:stream';
import { QuotaService } from '../tenants/quota.service.js';
import { FileIntake } from './file-intake.js';
import { InputsService } from './inputs.service.js';

describe('InputsService', () => {
  let fixture: SessionFixture;
  beforeAll(async () => {
    fixture = await sessionFixture();
  });
  afterAll(() => fixture.stop());

  const serviceOn = (db: Database) => {
    const settings = loadSettings(gatewaySettings, { DATABASE_URL: 'postgres://unused', STORAGE_DIR: '.' });
    const intake = new FileIntake(fixture.store, settings);
    const files = new SessionFileRepository(db);
    const usage = new ModelUsageRepository(db);
    const quota = new QuotaService(db, settings, new TenantRepository(db), usage, files);
    return new InputsService(fixture.store, intake, quota, files, new RunRepository(db));
  };
  const upload = (service: InputsService, name: string, content: string) => {
    const { tenantId, sessionId } = fixture.run;
    const parts = Readable.from([{ filename: name, file: Readable.from([Buffer.from(content)]) }]);
    return service.upload({ tenantId, apiKeyId: 'key' }, sessionId, parts);
  };
  const objects = async () => {
    const keys: string[] = [];
    const { tenantId, sessionId } = fixture.run;
    for await (const { key } of fixture.store.list(sessionPrefix(tenantId, sessionId))) keys.push(key);
    return keys;
  };

  it('keeps the objects of an upload that was committed despite a lost connection, and none of a rejected one', async () => {
    await expect(upload(serviceOn(withLostFirstAck(fixture.db)), 'a.md', 'Kept.')).rejects.toThrow(
      'the connection was lost',
    );
    const service = serviceOn(fixture.db);
    const { tenantId, sessionId } = fixture.run;
    const [input, ...others] = await service.list(tenantId, sessionId);
    expect([input?.name, others]).toEqual(['a.md', []]);
    expect(await objects()).toEqual([input?.objectKey]);
    await expect(upload(service, 'a.md', 'Other.')).rejects.toMatchObject({ code: 'file_exists' });
    expect(await objects()).toEqual([input?.objectKey]);
  });

  it('removes with an input its copy, its text and its images, and no asset of another file', async () => {
    const { tenantId, sessionId } = fixture.run;
    const service = serviceOn(fixture.db);
    const files = new SessionFileRepository(fixture.db);
    const before = await objects();
    const {
      files: [input],
    } = await upload(service, 'report.docx.md', 'A report.');
    const { id, objectKey, name, size, sha256, mediaType } = input!;
    const add = async (folder: 'assets' | 'texts', made: { name: string; objectKey: string }) => {
      if (made.objectKey !== objectKey) await fixture.store.put(made.objectKey, Buffer.from('x'));
      await files.add(tenantId, { ...{ sessionId, folder, size, sha256, mediaType }, ...made });
    };
    const other = sessionKey(tenantId, sessionId, 'assets', newId('fil'));
    await add('assets', { name, objectKey });
    await add('assets', {
      name: 'image.png',
      objectKey: sessionKey(tenantId, sessionId, 'assets', `${id}/1.png`),
    });
    await add('assets', { name: 'other.png', objectKey: other });
    await add('texts', { name, objectKey: sessionKey(tenantId, sessionId, 'texts', `${id}.md`) });
    await fixture.db.run.updateMany({ data: { status: 'completed' } });
    await service.remove(tenantId, sessionId, name);
    const { inputs, assets, texts } = await files.listAll(tenantId, sessionId);
    expect([...inputs, ...assets, ...texts].map((file) => file.name).sort()).toEqual(['a.md', 'other.png']);
    expect((await objects()).sort()).toEqual([...before, other].sort());
    await expect(service.remove(tenantId, sessionId, name)).rejects.toMatchObject({ code: 'not_found' });
  });
});
