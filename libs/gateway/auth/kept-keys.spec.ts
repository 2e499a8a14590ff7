import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { ACCESS_CHANNEL, KeptKeys } from '#db/repositories/kept-keys.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { NotificationListener } from '#engine/events/listener.js';
import { DataBed } from '#testing/data-bed.js';
import { EventEmitter, once } from 'node:events';

class Notifications extends EventEmitter {
  session: object | null = {};
  onReconnect = (listener: () => void) => this.on('reconnected', listener);
}

describe('kept API keys', () => {
  let now = 0;
  let reads = 0;
  let notifications: Notifications;
  let kept: KeptKeys<string>;
  const get = (name = 'key') =>
    kept.get(name, () => {
      reads++;
      return Promise.resolve(`row ${reads}`);
    });
  beforeEach(() => {
    now = 0;
    reads = 0;
    notifications = new Notifications();
    kept = new KeptKeys<string>(notifications, () => now);
  });

  it('are read once in five seconds', async () => {
    expect([await get(), await get(), await get('other')]).toEqual(['row 1', 'row 1', 'row 2']);
    now = 4_999;
    expect(await get()).toBe('row 1');
    now = 5_000;
    expect(await get()).toBe('row 3');
  });

  it('are read again after a change here, a change elsewhere and a reconnect', async () => {
    const changes = [
      () => kept.forget(),
      () => notifications.emit(ACCESS_CHANNEL),
      () => notifications.emit('reconnected'),
    ];
    for (const change of changes) {
      const before = await get();
      change();
      expect(await get()).not.toBe(before);
    }
  });

  it('are not kept when they were read before a change that became known meanwhile', async () => {
    const row = await kept.get('key', () => {
      notifications.emit(ACCESS_CHANNEL);
      return Promise.resolve('old');
    });
    expect([row, await get()]).toEqual(['old', 'row 1']);
  });

  it('are neither kept nor used while changes can be missed, and unknown keys never are', async () => {
    expect(await get()).toBe('row 1');
    notifications.session = null;
    expect([await get(), await get()]).toEqual(['row 2', 'row 3']);
    notifications.session = {};
    expect(await kept.get('unknown', () => Promise.resolve(null))).toBeNull();
    expect(await get('unknown')).toBe('row 4');
  });
});

describe('a change of access', () => {
  let bed: DataBed;
  let listener: NotificationListener;
  beforeAll(async () => {
    bed = await DataBed.open();
    listener = new NotificationListener(bed.url, [ACCESS_CHANNEL, 'mark']);
    await listener.start();
  });
  afterAll(async () => {
    await listener.stop();
    await bed.close();
  });

  /** Returns whether the change was announced: a session gets its notifications in the order of the commits. */
  async function isAnnounced(change: () => Promise<unknown>): Promise<boolean> {
    const seen = new EventEmitter();
    let announced = false;
    const stops = [
      listener.on(ACCESS_CHANNEL, () => (announced = true)),
      listener.on('mark', () => seen.emit('mark')),
    ];
    await change();
    const marked = once(seen, 'mark');
    await bed.db.$executeRaw`SELECT pg_notify('mark', '')`;
    await marked;
    for (const stop of stops) stop();
    return announced;
  }

  it('is announced to all gateways, and other changes of the rows are not', async () => {
    const tenants = new TenantRepository(bed.db);
    const keys = new ApiKeyRepository(bed.db);
    const tenantId = await tenants.create('watched');
    await keys.create(tenantId, { name: 'admin' });
    const { row } = await keys.create(tenantId, { name: 'key' });
    const changes: [boolean, () => Promise<unknown>][] = [
      [false, () => keys.create(tenantId, { name: 'another' })],
      [false, () => bed.db.apiKey.update({ where: { id: row.id }, data: { lastUsedAt: new Date() } })],
      [true, () => keys.rotate(tenantId, row.id, 60, () => undefined)],
      [true, () => keys.revoke(tenantId, row.id)],
      [true, () => tenants.setSuspended(tenantId, true)],
      [false, () => tenants.setLimits(tenantId, { maxActiveRuns: 3 })],
      [true, () => tenants.setLimits(tenantId, { requestsPerMinute: 3 })],
      [true, () => bed.db.tenant.delete({ where: { id: tenantId } })],
    ];
    for (const [expected, change] of changes) expect(await isAnnounced(change)).toBe(expected);
  });
});
