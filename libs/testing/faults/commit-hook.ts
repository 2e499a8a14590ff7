/**
 * Kills or stops its own process right before a statement is sent, or right after the commit but before the app learns of
 * it; load it before the app (`node --import`). The folder `FAULTS_DIR` contains two others. A file in `armed`, named after
 * time and commit point, contains the signal; the first process to reach that point moves the file to `fired`.
 */
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';
import { firedName, type When } from './commit-signals.js';
import { commitPointOf, runIdIn } from './statement-names.js';

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

const dir = process.env['FAULTS_DIR'];

function reach(when: When, point: string, values: unknown[]): void {
  const name = `${when} ${point}`;
  const fired = join(dir!, 'fired', firedName({ when, point, pid: process.pid, runId: runIdIn(values) }));
  try {
    renameSync(join(dir!, 'armed', name), fired);
  } catch {
    return; // not armed, or another process was first
  }
  process.kill(process.pid, readFileSync(fired, 'utf8') as NodeJS.Signals);
}

function hook(original: Query): Query {
  return function (this: unknown, ...args: unknown[]) {
    const query = args[0] as { text?: string; values?: unknown[] } | string;
    const text = typeof query === 'string' ? query : query?.text;
    const point = typeof text === 'string' ? commitPointOf(text) : undefined;
    if (point === undefined) return original.apply(this, args);
    const values = (typeof query === 'string' ? undefined : query.values) ?? args.find(Array.isArray) ?? [];
    reach('before', point, values);
    const last = args.at(-1);
    if (typeof last !== 'function')
      return (original.apply(this, args) as Promise<unknown>).then((result) => {
        reach('after', point, values);
        return result;
      });
    const hear: Callback = (error, result) => {
      if (!error) reach('after', point, values);
      (last as Callback)(error, result);
    };
    return original.apply(this, [...args.slice(0, -1), hear]);
  };
}

if (dir !== undefined && isMainThread) {
  const client = pg.Client.prototype as { query: Query };
  client.query = hook(client.query);
}
