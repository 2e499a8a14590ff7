import { ProtocolError, ProtocolErrorCode, type Client } from '@modelcontextprotocol/client';
import { until } from '#testing/until.js';
import { KeptConnections } from './server-connection.js';

describe('connections that calls share', () => {
  let opened: number;
  let closed: number;
  let connections: KeptConnections;
  let client: { close: () => Promise<void>; onclose?: () => void };

  const connect = async () => {
    opened += 1;
    client = { close: async () => void (closed += 1) };
    return client as Client;
  };
  const use = (key: string, act = () => Promise.resolve('fine')) => connections.use(key, connect, act);

  beforeEach(() => {
    [opened, closed] = [0, 0];
    connections = new KeptConnections();
  });
  afterEach(() => connections.close());

  it('are opened once for each key, also for concurrent calls', async () => {
    await Promise.all([use('a'), use('a'), use('b')]);
    await use('a');
    expect([opened, closed]).toEqual([2, 0]);
    await connections.close();
    expect(closed).toBe(2);
  });

  it('are closed when nobody has used them for a while, and opened again', async () => {
    connections = new KeptConnections(0);
    await use('a');
    await until(
      'the connection is closed',
      () => closed,
      (count) => count === 1,
    );
    await use('a');
    expect(opened).toBe(2);
  });

  it('are replaced after a failure or their end, but not after an error that the server reports', async () => {
    const reported = new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such file');
    await expect(use('a', () => Promise.reject(reported))).rejects.toBe(reported);
    await use('a');
    expect(opened).toBe(1);
    await expect(use('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await use('a');
    expect([opened, closed]).toEqual([2, 1]);
    client.onclose!();
    await use('a');
    expect(opened).toBe(3);
  });

  it('stay open for calls under way when another call fails', async () => {
    let finish = (_: string) => undefined as void;
    const slow = use('a', () => new Promise<string>((resolve) => (finish = resolve)));
    await expect(use('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(closed).toBe(0);
    finish('fine');
    expect(await slow).toBe('fine');
    await until(
      'the connection is closed',
      () => closed,
      (count) => count === 1,
    );
  });
});
