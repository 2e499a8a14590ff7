import { projectRoot } from '#embedded/project-root.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#testing/postgres.js';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { createDatabase } from './client.js';
import { migrate } from './migrate.js';
import { asTenant } from './tenant-scope.js';

const MIGRATIONS = join(projectRoot(), 'prisma/migrations');

describe('the role of tenants', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let plain: string;
  let plainUrl: string;

  beforeAll(async () => {
    // Creates the role unless another spec has: it exists once per server.
    await (await createTestDatabase()).drop();
    database = await createEmptyDatabase();
    plain = `plain_${randomBytes(4).toString('hex')}`;
    const url = new URL(database.url);
    url.username = plain;
    url.password = 'plain';
    plainUrl = url.href;
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`CREATE ROLE ${plain} LOGIN PASSWORD 'plain'`);
    await admin.query(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${plain}`);
    await admin.query(`ALTER SCHEMA public OWNER TO ${plain}`);
  });
  afterAll(async () => {
    await admin.query(`DROP OWNED BY ${plain} CASCADE`);
    await admin.query(`REASSIGN OWNED BY ${plain} TO CURRENT_USER`);
    await admin.end();
    await database.drop();
    const server = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await server.connect();
    await server.query(`DROP ROLE ${plain}`);
    await server.end();
  });

  it('migrating without rights on the server fails with the statements that an administrator has to run', async () => {
    await expect(migrate(plainUrl, MIGRATIONS)).rejects.toThrow(
      `CREATE ROLE scriptorium_tenant NOLOGIN; GRANT scriptorium_tenant TO ${plain}`,
    );
  });

  it('migrations and statements of tenants need no superuser once the role is granted', async () => {
    await admin.query(`GRANT scriptorium_tenant TO ${plain}`);
    await migrate(plainUrl, MIGRATIONS);
    const db = createDatabase(plainUrl, 2);
    try {
      await db.tenant.createMany({ data: ['ten_a', 'ten_b'].map((id) => ({ id, name: id })) });
      expect(await db.tenant.count()).toBe(2);
      expect(await asTenant('ten_a', () => db.tenant.findMany({ select: { id: true } }))).toEqual([
        { id: 'ten_a' },
      ]);
      await admin.query(`REVOKE scriptorium_tenant FROM ${plain}`);
      // Without the role, no statement is sent under another one.
      await expect(asTenant('ten_a', () => db.tenant.findMany())).rejects.toThrow(
        /permission denied to set role/,
      );
      await expect(asTenant('ten_a', () => db.$transaction([db.tenant.findFirst()]))).rejects.toThrow(
        /permission denied to set role/,
      );
      expect(await db.tenant.count()).toBe(2);
    } finally {
      await db.$disconnect();
    }
  });
});
