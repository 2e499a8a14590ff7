import {
  agentRunnerSettings,
  gatewaySettings,
  loadSettings,
  settingsOfApps,
  workerSettings,
} from './settings.js';

const wrongOf = (schema: Parameters<typeof loadSettings>[0], environment: NodeJS.ProcessEnv): string[] => {
  try {
    loadSettings(schema, environment);
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(':')[0]!)
      .sort();
  }
  return [];
};

describe('loadSettings', () => {
  it('lists all invalid settings together, including those that depend on others', () => {
    const environment = { GATEWAY_PORT: 'eighty', LOG_LEVEL: 'loud', S3_ENDPOINT: 'http://127.0.0.1:9000' };
    const expected = ['DATABASE_URL', 'GATEWAY_PORT', 'LOG_LEVEL', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];
    expect(wrongOf(gatewaySettings, environment)).toEqual(expected);
    expect(wrongOf(workerSettings, { WORKER_THREADS: '0' })).toEqual([
      'DATABASE_URL',
      'STORAGE_DIR',
      'WORKER_THREADS',
    ]);
  });

  it.each(Object.entries(settingsOfApps))('treats an empty setting of %s as unset', (_, schema) => {
    const needed = { DATABASE_URL: 'postgres://localhost/x', STORAGE_DIR: '/x' };
    const empty = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, '']));
    expect(loadSettings(schema, { ...empty, ...needed })).toEqual(loadSettings(schema, needed));
    expect(wrongOf(schema, empty)).toEqual(['DATABASE_URL', 'STORAGE_DIR']);
  });

  it.each([gatewaySettings, agentRunnerSettings])(
    'requires a model with the key of a model server',
    (schema) => {
      const environment = { DATABASE_URL: 'postgres://localhost/x', STORAGE_DIR: '/x', OPENAI_API_KEY: 'sk' };
      expect(wrongOf(schema, environment)).toEqual(['OPENAI_MODEL']);
      expect(wrongOf(schema, { ...environment, STORAGE_DIR: '' })).toEqual(['OPENAI_MODEL', 'STORAGE_DIR']);
      expect(wrongOf(schema, { ...environment, OPENAI_MODEL: 'large' })).toEqual([]);
    },
  );

  it('A15 rejects invalid settings of articles', () => {
    const wrong = {
      RAG_TOP_K: '0',
      EXA_BASE_URL: 'nowhere',
      EXA_SEARCH_COST: '-1',
      EXA_TIMEOUT_SECONDS: 'soon',
    };
    const environment = { DATABASE_URL: 'postgres://localhost/x', STORAGE_DIR: '/tmp/x', ...wrong };
    expect(wrongOf(agentRunnerSettings, environment)).toEqual(
      Object.keys(wrong).sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it('does not require a directory when only the address of the store is invalid', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/x', S3_ENDPOINT: 'nowhere' };
    expect(wrongOf(workerSettings, environment)).toEqual(['S3_ENDPOINT']);
  });

  it('never shows a value', () => {
    const environment = { DATABASE_URL: 'postgres://u:hunter2@localhost/x', ADMIN_PASSWORD: 'hunter2' };
    expect(() => loadSettings(gatewaySettings, environment)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }),
    );
  });
});
