import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretSettings } from './secret-files.js';
import {
  agentRunnerSettings,
  gatewaySettings,
  loadSettings,
  SettingsError,
  workerSettings,
} from './settings.js';

describe('secrets from files', () => {
  let dir: string;
  const file = async (name: string, content: string) => {
    await writeFile(join(dir, name), content);
    return join(dir, name);
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-secrets-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('reads each secret from the file in NAME_FILE, without its final line break', async () => {
    const gateway = loadSettings(gatewaySettings, {
      DATABASE_URL_FILE: await file('database', 'postgres://u:p@h/d\n'),
      QUEUE_URL_FILE: await file('queue', 'redis://:pw@h:6379\n'),
      ADMIN_PASSWORD_FILE: await file('admin', ' has spaces inside \r\n'),
      METRICS_TOKEN_FILE: await file('metrics', 'a-token-of-some-length\n'),
      S3_ENDPOINT: 'http://s3:7070',
      S3_ACCESS_KEY_FILE: await file('access', 'access'),
      S3_SECRET_KEY_FILE: await file('secret', 'secret\n'),
    });
    expect(gateway).toMatchObject({
      DATABASE_URL: 'postgres://u:p@h/d',
      QUEUE_URL: 'redis://:pw@h:6379',
      ADMIN_PASSWORD: ' has spaces inside ',
      METRICS_TOKEN: 'a-token-of-some-length',
      S3_ACCESS_KEY: 'access',
      S3_SECRET_KEY: 'secret',
    });
    const runner = loadSettings(agentRunnerSettings, {
      DATABASE_URL: 'postgres://u:p@h/d',
      STORAGE_DIR: dir,
      OPENAI_API_KEY_FILE: await file('model', 'sk-1\n'),
      OPENAI_MODEL: 'large',
    });
    expect(runner.OPENAI_API_KEY).toBe('sk-1');
  });

  it('reads every secret of each app from a file: keys, passwords, tokens and secrets', () => {
    const names = [gatewaySettings, agentRunnerSettings, workerSettings].flatMap(({ shape }) =>
      Object.keys(shape),
    );
    const secrets = [...new Set(names.filter((name) => /_(KEY|PASSWORD|TOKEN|SECRET)$/.test(name)))];
    expect(secrets).toContain('OPENAI_EMBED_API_KEY');
    expect(secrets.filter((name) => !(secretSettings as readonly string[]).includes(name))).toEqual([]);
  });

  it('lists missing files and secrets that are set twice with the other invalid settings, without values', async () => {
    const start = () =>
      loadSettings(gatewaySettings, {
        DATABASE_URL: 'postgres://u:hidden@h/d',
        DATABASE_URL_FILE: join(dir, 'database'),
        ADMIN_PASSWORD_FILE: join(dir, 'absent'),
        STORAGE_DIR: dir,
        LOG_LEVEL: 'loud',
      });
    expect(start).toThrow(SettingsError);
    expect(start).toThrow(/3 invalid setting\(s\)/);
    expect(start).toThrow('DATABASE_URL_FILE: DATABASE_URL is also set; set only one of them');
    expect(start).toThrow('ADMIN_PASSWORD_FILE: cannot be read (ENOENT)');
    expect(start).toThrow(/LOG_LEVEL: /);
    expect(start).not.toThrow(/hidden/);
  });
});
