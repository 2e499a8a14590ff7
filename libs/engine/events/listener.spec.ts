import { createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { until } from '#testing/until.js';
import pg from 'pg';
import { NotificationListener } from './listener.js';

describe('the listener of a process', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let listener: NotificationListener;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    listener = new NotificationListener(database.url);
  });
  afterAll(async () => {
    await listener.stop();
    await admin.end();
    await database.drop();
  });

  it('listens in one session on the channels of all apps, also after it lost the session', async () => {
    const heard: string[] = [];
    for (const channel of ['first', 'second']) listener.on(channel, (payload) => heard.push(payload));
    await Promise.all([listener.listen('first'), listener.listen('second')]);
    const hear = async (payload: string) => {
      await admin.query(`SELECT pg_notify('first', $1), pg_notify('second', $1)`, [payload]);
      await until(
        `both channels to report ${payload}`,
        () => heard.filter((one) => one === payload),
        ({ length }) => length === 2,
      );
    };
    await hear('before');
    const lost = listener.session!;
    const reconnected = new Promise<void>((resolve) => listener.onReconnect(resolve));
    const { rows } = await lost.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await admin.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    await reconnected;
    expect(listener.session).not.toBe(lost);
    await hear('after');
  });
});
