import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadSettings, settingsOfApps } from './settings.js';
import { secretSettings } from './secret-files.js';

describe('.env.example', () => {
  let text: string;
  beforeAll(async () => {
    text = await readFile(join(import.meta.dirname, '../../.env.example'), 'utf8');
  });

  it('lists every setting with its actual default, and sets none', () => {
    const schemas = Object.values(settingsOfApps);
    const names = new Set(schemas.flatMap((schema) => Object.keys(schema.shape)));
    const shown = parseEnv(text.replace(/^# (?=[A-Z_\d]+=)/gm, ''));
    expect([...names].filter((name) => !(name in shown))).toEqual([]);
    expect(parseEnv(text)).toEqual({});
    expect(secretSettings.filter((name) => !text.includes(`${name}_FILE`))).toEqual([]);
    const needed = { DATABASE_URL: 'postgres://u:p@h/d', STORAGE_DIR: 'objects' };
    for (const schema of schemas) {
      const defaults = loadSettings(schema, needed) as Record<string, unknown>;
      for (const [name, value] of Object.entries(defaults)) {
        if (value !== undefined && !(name in needed))
          expect(`${name}=${shown[name]}`).toBe(`${name}=${String(value)}`);
      }
    }
  });
});
